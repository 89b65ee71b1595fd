import { develops, EVERYTHING, listed, type Program } from "./program.ts";

const DOCKER_LIST =
  "-a -q -s -n: -f: -l --all --quiet --filter= --format= --no-trunc --size --last= --latest --digests";
const dockerList = develops(DOCKER_LIST, { permissions: ["read", "network"] });
const dockerLogs = develops(
  "-f -t -n: --follow --timestamps --tail= --since= --until= --details --no-color --no-log-prefix",
  { permissions: ["read", "network"] },
);
const dockerInspect = develops("-f: -s --format= --size --type=", { permissions: ["read", "network"] });
const container: Program = {
  class: "dangerous",
  risk: "medium",
  rule: "it starts, changes or removes containers",
  permissions: EVERYTHING,
};

const kube = (options: string): Program =>
  develops(
    `-n: -l: -o: -A -L: --namespace= --all-namespaces --selector= --output= --field-selector= --show-labels --label-columns= --sort-by= --no-headers -w --watch --show-kind --ignore-not-found --chunk-size= --context= --request-timeout= -v: ${options}`,
    {
      permissions: ["read", "network"],
      objection: ({ options, operands }) => {
        if (operands.some(({ text }) => /(?:^|,)secrets?(?:$|[/,.])/i.test(text))) return "it shows secrets";
        return options.some(({ name, value }) => /^-(?:o|-output)$/.test(name) && /-file/.test(value?.text ?? ""))
          ? "it reads a template from a file"
          : undefined;
      },
    },
  );

/** Containers and clusters: read-only verbs. */
export const CONTAINERS: Readonly<Record<string, Program>> = {
  docker: {
    ...container,
    options: "",
    stops: true,
    version: ["--version", "-v"],
    verbs: {
      ps: dockerList,
      images: dockerList,
      logs: dockerLogs,
      inspect: dockerInspect,
      version: develops("-f: --format=", { permissions: ["network"] }),
      info: develops("-f: --format=", { permissions: ["network"] }),
      top: develops("", { permissions: ["network"] }),
      stats: develops("-a --all --no-stream --no-trunc --format=", { permissions: ["network"] }),
      port: dockerInspect,
      history: dockerList,
      diff: dockerInspect,
      ...listed("container image volume network", {
        ...container,
        options: "",
        stops: true,
        verbs: { ls: dockerList, list: dockerList, inspect: dockerInspect, logs: dockerLogs },
      }),
      compose: {
        ...container,
        options: "",
        stops: true,
        verbs: {
          ps: dockerList,
          logs: dockerLogs,
          ls: dockerList,
          images: dockerList,
          top: dockerInspect,
          version: dockerInspect,
        },
      },
      ...listed(
        "run exec build rm rmi stop start restart kill pull push cp create commit load save import export login tag prune system buildx swarm update rename pause unpause attach",
        container,
      ),
    },
  },
  "docker-compose": {
    ...container,
    options: "",
    stops: true,
    version: ["--version", "-v"],
    verbs: { ps: dockerList, logs: dockerLogs, images: dockerList },
  },
  podman: {
    ...container,
    options: "",
    stops: true,
    version: ["--version", "-v"],
    verbs: { ps: dockerList, images: dockerList, logs: dockerLogs, inspect: dockerInspect },
  },
  kubectl: {
    class: "dangerous",
    risk: "medium",
    rule: "it changes a cluster",
    options: "-n: --namespace= --context=",
    stops: true,
    permissions: EVERYTHING,
    verbs: {
      get: kube(""),
      describe: kube(""),
      logs: kube("-f -p -c: --follow --previous --container= --tail= --since= --timestamps --all-containers --prefix"),
      top: kube("--containers"),
      explain: kube("--recursive --api-version="),
      version: kube("--client --short"),
      "cluster-info": kube(""),
      "api-resources": kube("--namespaced= --verbs="),
      "api-versions": kube(""),
      rollout: {
        class: "dangerous",
        options: "",
        stops: true,
        permissions: EVERYTHING,
        verbs: { status: kube("--timeout="), history: kube("--revision=") },
      },
      config: {
        class: "dangerous",
        options: "",
        stops: true,
        permissions: EVERYTHING,
        verbs: { view: kube("--minify"), "current-context": kube(""), "get-contexts": kube("") },
      },
    },
  },
};
