import type * as Sdk from "@modelcontextprotocol/client";

/** For one message, as for programs. */
const LONGEST_MESSAGE = 32 << 20;
/** How many messages a stream may send in `EVENTS_MS`. */
const MOST_EVENTS = 5_000;
const EVENTS_MS = 10_000;

/** `fetch` with bounds on what a service sends: on the whole body, or on each message of an event stream. */
export const boundedFetch: Sdk.FetchLike = async (url, init) => {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const body = response.body.pipeThrough(isStream ? eventsBound() : wholeBound());
  const { status, statusText, headers } = response;
  const bounded = new Response(body, { status, statusText, headers });
  // the SDK checks where a redirect led
  return Object.defineProperties(bounded, { url: { value: response.url }, redirected: { value: response.redirected } });
};

const tooLong = (): Error => new Error(`it sent a message of more than ${LONGEST_MESSAGE >> 20} MB`);

function wholeBound(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.length;
      if (bytes > LONGEST_MESSAGE) controller.error(tooLong());
      else controller.enqueue(piece);
    },
  });
}

/** A message ends with an empty line. */
function eventsBound(): TransformStream<Uint8Array, Uint8Array> {
  let [bytes, line, events, since] = [0, 0, 0, Date.now()];
  const count = (piece: Uint8Array): void => {
    for (let from = 0; ; ) {
      const at = piece.indexOf(10, from);
      const end = at === -1 ? piece.length : at;
      line += end - from;
      bytes += end - from;
      if (at === -1) return;
      if (line === 0 || (line === 1 && piece[end - 1] === 13)) [bytes, events] = [0, events + 1];
      line = 0;
      from = at + 1;
    }
  };
  return new TransformStream({
    transform(piece, controller) {
      if (Date.now() - since > EVENTS_MS) [events, since] = [0, Date.now()];
      count(piece);
      if (bytes > LONGEST_MESSAGE) controller.error(tooLong());
      else if (events > MOST_EVENTS)
        controller.error(new Error(`it sent more than ${MOST_EVENTS} messages in ${EVENTS_MS / 1000} s`));
      else controller.enqueue(piece);
    },
  });
}
