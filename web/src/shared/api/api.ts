import type { components, paths } from "@/shared/wire/api";
import { call } from "./client";

/** A body the API knows, by its name in the document. */
export type Schemas = components["schemas"];

type Method = "get" | "post" | "patch" | "delete";
type Path = keyof paths & `/api/${string}`;
type MethodOf<P extends Path> = {
  [M in Method]: paths[P][M] extends { responses: unknown } ? M : never;
}[Method];

type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;
type Form<Part> = Part extends { content: { "multipart/form-data": unknown } } ? FormData : never;
type Requested<Operation> = Operation extends { requestBody: infer Body } ? Body : never;
type Responses<Operation> = Operation extends { responses: infer All } ? All : never;
type Answer<Operation> = {
  [Status in keyof Responses<Operation>]: Status extends 200 | 201
    ? Json<Responses<Operation>[Status]>
    : never;
}[keyof Responses<Operation>];

type Parameters<Operation, In extends "path" | "query"> = Operation extends { parameters: infer All }
  ? In extends keyof All
    ? NonNullable<All[In]>
    : never
  : never;

type Options<Operation> = ([Json<Requested<Operation>>] extends [never]
  ? object
  : { json: Json<Requested<Operation>> }) &
  ([Form<Requested<Operation>>] extends [never] ? object : { form: FormData }) &
  ([Parameters<Operation, "path">] extends [never] ? object : { params: Parameters<Operation, "path"> }) & {
    query?: Parameters<Operation, "query">;
    token?: string;
  };

/** Calls the API as its document describes it: what may be sent and what comes back is known to the compiler. */
export function api<P extends Path, M extends MethodOf<P>>(
  method: M,
  path: P,
  options: Options<paths[P][M]>,
): Promise<Answer<paths[P][M]>> {
  const { params, query, ...rest } = options as {
    params?: Record<string, string>;
    query?: Record<string, string | number>;
    json?: unknown;
    form?: FormData;
    token?: string;
  };
  return call(addressOf(path, params, query), {
    ...rest,
    method: method.toUpperCase() as "GET" | "POST" | "PATCH" | "DELETE",
  });
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
