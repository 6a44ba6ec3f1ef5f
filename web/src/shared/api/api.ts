import type { components, paths } from "@/shared/wire/api";
import { type Call, call } from "./client";

/** A body the API knows, by its name in the document. */
export type Schemas = components["schemas"];

type Method = "get" | "post" | "patch" | "delete";
type Path = keyof paths & `/api/${string}`;
type MethodOf<P extends Path> = {
  [M in Method]: paths[P][M] extends { responses: unknown } ? M : never;
}[Method];

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
type Options<Operation> = Json<Operation> &
  Form<Operation> &
  Params<Operation> &
  Query<Operation> &
  Pick<Call, "token" | "seat">;

type Good<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Answer<Operation> = Operation extends { responses: infer All }
  ? Good<All[keyof All & (200 | 201)]>
  : never;

/** Calls the API as its document describes it: what may be sent and what comes back is known to the compiler. */
export function api<P extends Path, M extends MethodOf<P>>(
  method: M,
  path: P,
  options: Options<paths[P][M]>,
): Promise<Answer<paths[P][M]>> {
  const { params, query, ...rest } = options as Call & {
    params?: Record<string, string>;
    query?: Record<string, string>;
  };
  return call(addressOf(path, params, query), { ...rest, method: method.toUpperCase() as Call["method"] });
}

/** The address below /api, with its parameters filled in. */
export function addressOf(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, string | number | undefined> = {},
): string {
  const filled = path
    .replace(/^\/api/, "")
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return asked.length > 0 ? `${filled}?${new URLSearchParams(asked)}` : filled;
}
