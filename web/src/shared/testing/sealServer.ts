import { vi } from "vitest";

type Seal = { key: string; wrapped: string; on: boolean; open_notes: boolean };

/**
 * A server with the calls of one sealed inbox. Gives what it has, and all that it was sent. `others` answers the calls
 * that it doesn't know.
 */
export function sealServer(others: (path: string) => unknown = () => ({ status: 200 })) {
  const has: { seal: Seal | null; handover?: string; sent: string[] } = { seal: null, sent: [] };
  const refuse = (code: string) => Response.json({ status: 404, code, message: "" }, { status: 404 });
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    const json = typeof body === "string" ? JSON.parse(body) : undefined;
    has.sent.push(`${method} ${path} ${body ?? ""}`);
    if (path === "/api/seal/handover") has.handover = json.wrapped;
    if (path === "/api/seal/handover/take") {
      const { handover } = has;
      delete has.handover;
      return handover ? Response.json({ status: 200, data: { wrapped: handover } }) : refuse("no_handover");
    }
    if (path !== "/api/seal") return Response.json(others(path));
    if (method === "PUT") has.seal = { ...json, on: true };
    if (method === "PATCH" && has.seal) Object.assign(has.seal, json);
    return Response.json({ status: 200, message: "", data: has.seal });
  });
  return has;
}
