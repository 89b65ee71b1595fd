import { assign, type Walk } from "./walk.ts";
import { walkAsQuoted, walkText } from "./words.ts";

/** Variables whose value other programs run as a command. */
const RUN_BY_OTHERS =
  /^(?:(?:GIT_|MAN|SYSTEMD_|AWS_|BAT_|DELTA_)?PAGER|(?:GIT_|SVN_|HG|KUBE_|SUDO_|GIT_SEQUENCE_)?EDITOR|VISUAL|FCEDIT|BROWSER|GIT_(?:SSH|SSH_COMMAND|PROXY_COMMAND|EXTERNAL_DIFF|ASKPASS)|(?:SSH_|SUDO_)ASKPASS|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|FZF_\w*_COMMAND)$/;

/** The shell expands these before it shows them. */
const PROMPTS = /^PS[0-4]$/;

/** What `less` wants in front of a command that it reads from. */
const MARKS = /^\|{1,2}-?/;

/** Sets a variable as the line does. What other programs would run from it is judged as a command of the line. */
export const setVariable = (walk: Walk, name: string, text: string): void => {
  assign(walk, name, text);
  if (PROMPTS.test(name)) walkAsQuoted(text, walk);
  if (RUN_BY_OTHERS.test(name) && text.trim() !== "") walkText(text.replace(MARKS, ""), walk, undefined);
};
