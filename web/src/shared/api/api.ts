import { language } from "@/shared/text/language";
import type { components, paths } from "@/shared/wire/api";
import { bodyOf } from "./client";

/** The types of bodies and frames, by their names in the API's description. */
export type Schemas = components["schemas"];

type Method = "get" | "post" | "put" | "patch" | "delete";
type Path = keyof paths & `/api/${string}`;
type MethodOf<P extends Path> = {
  [M in Method]: paths[P][M] extends { responses: unknown } ? M : never;
}[Method];

type Shown = {
  /** The account's token. */
  token?: string | undefined;
  /** The key of a conversation, for the one who has its private link. */
  key?: string | undefined;
  /**
   * For a room's calls: they send the seat's cookie, and these headers if the page carries the seat. Other calls send
   * no cookie, so that nothing ties a seat to the account.
   */
  seat?: Record<string, string>;
  /** The call is made even if the page is closed at this moment. */
  keepalive?: boolean;
};

/** The parameters of an operation. */
type Json<Operation> = Operation extends { requestBody: { content: { "application/json": infer Body } } }
  ? { json: Body }
  : object;
type Form<Operation> = Operation extends { requestBody: { content: { "multipart/form-data": unknown } } }
  ? { form: FormData }
  : object;
type Params<Operation> = Operation extends { parameters: { path: infer Params } }
  ? { params: Params }
  : object;
type Query<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? { query?: Query }
  : object;
type Options<Operation> = Json<Operation> & Form<Operation> & Params<Operation> & Query<Operation> & Shown;

type Good<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Answer<Operation> = Operation extends { responses: infer All }
  ? Good<All[keyof All & (200 | 201)]>
  : never;

/** Calls the API. The types of parameters and answers come from the API's description. There is no timeout. */
export function api<P extends Path, M extends MethodOf<P>>(
  method: M,
  path: P,
  options: Options<paths[P][M]>,
): Promise<Answer<paths[P][M]>> {
  const {
    params = {},
    query = {},
    json,
    form,
    token,
    key,
    seat,
    keepalive = false,
  } = options as Shown & {
    params?: Record<string, string>;
    query?: Record<string, string | undefined>;
    json?: unknown;
    form?: FormData;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);

  // Mails are written in this language. Without it the browser would send its own list of languages.
  const headers = new Headers({ Accept: "application/json", "Accept-Language": language(), ...seat });
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  if (key !== undefined) headers.set("Authorization", `Annon ${key}`);

  const answer = fetch(asked.length > 0 ? `${filled}?${new URLSearchParams(asked)}` : filled, {
    method: method.toUpperCase(),
    headers,
    keepalive,
    credentials: seat ? "same-origin" : "omit",
    // For a form the browser itself adds `Content-Type`.
    body: form ?? (json === undefined ? null : JSON.stringify(json)),
  });
  return bodyOf(answer);
}
