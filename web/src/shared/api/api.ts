import { language } from "@/shared/text/language";
import type { components, paths } from "@/shared/wire/api";
import { bodyOf } from "./client";

/** A body the API knows, by its name in the document. */
export type Schemas = components["schemas"];

type Method = "get" | "post" | "patch" | "delete";
type Path = keyof paths & `/api/${string}`;
type MethodOf<P extends Path> = {
  [M in Method]: paths[P][M] extends { responses: unknown } ? M : never;
}[Method];

type Shown = {
  /** The account's. */
  token?: string;
  /**
   * A room's calls show the seat: its cookie, and these headers where the page carries it. No other call sends a
   * cookie, so nothing ties it to the account.
   */
  seat?: Record<string, string>;
};

/** What an operation takes, each under the name it is given by. */
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

/** Calls the API as its document describes it: what may be sent and what comes back is known to the compiler. No timeout. */
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
    seat,
  } = options as Shown & {
    params?: Record<string, string>;
    query?: Record<string, string | undefined>;
    json?: unknown;
    form?: FormData;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);

  // The app's language instead of all that the browser would list: a mail is written in it.
  const headers = new Headers({ Accept: "application/json", "Accept-Language": language(), ...seat });
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);

  const answer = fetch(asked.length > 0 ? `${filled}?${new URLSearchParams(asked)}` : filled, {
    method: method.toUpperCase(),
    headers,
    credentials: seat ? "same-origin" : "omit",
    // The browser writes a form's header.
    body: form ?? (json === undefined ? null : JSON.stringify(json)),
  });
  return bodyOf(answer);
}
