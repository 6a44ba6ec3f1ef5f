/** What can be reported from outside: somebody's page, an answer on it, and a group. */
const REPORTABLE = /^\/(?:[\w-]+|[\w-]+\/a\/[\w-]+|room\/[\da-f-]+)$/i;

/**
 * The path of the page that a typed address leads to, if that is a page of this site. What is behind `#` is never in
 * it: in a private link that is a secret.
 */
export function pageIn(typed: string, host: string): string | undefined {
  const address = typed.trim();
  const [, elsewhere, rest = ""] = /^(https?:\/\/)?(.*)$/is.exec(address) ?? [];
  const isHere = rest.toLowerCase().startsWith(host.toLowerCase());
  if (elsewhere && !isHere) return undefined;
  const path = isHere ? rest.slice(host.length) : `/${rest.replace(/^\//, "")}`;
  const [bare = ""] = path.split(/[?#]/);
  const page = bare.replace(/\/+$/, "");
  return REPORTABLE.test(page) ? page : undefined;
}

/** Whether it is the link of a conversation, which only its two sides can report. */
export const isConversation = (typed: string) => /\/c\/[\w-]+/.test(typed);
