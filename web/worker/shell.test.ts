// @vitest-environment node
import { beforeEach, expect, test, vi } from "vitest";
import { Shell } from "./shell";

const BUILD = { version: "2", files: ["/index.html", "/assets/a-12345678.js"] };
const ORIGIN = "https://annon.example";

let stored: Map<string, Map<string, Response>>;

/** As much of a browser's cache storage as the shell uses. */
function storage(): CacheStorage {
  const open = async (name: string) => {
    const held = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, held);
    return {
      addAll: async (requests: Request[]) => {
        for (const request of requests) {
          expect(request.credentials).toBe("omit");
          held.set(new URL(request.url).pathname, new Response(`kept ${new URL(request.url).pathname}`));
        }
      },
      match: async (path: string) => held.get(path)?.clone(),
    };
  };
  return {
    open,
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
  } as unknown as CacheStorage;
}

let shell: Shell;

beforeEach(() => {
  stored = new Map();
  // A worker's requests are relative to its own address; Node's have none.
  const Whole = Request;
  vi.stubGlobal(
    "Request",
    class extends Whole {
      constructor(path: string, init: RequestInit) {
        super(new URL(path, ORIGIN), init);
      }
    },
  );
  shell = new Shell(BUILD, storage(), 20);
});

const kind = (path: string, given: { method?: string; mode?: RequestMode } = {}) =>
  shell.kindOf({ method: "GET", mode: "cors", url: ORIGIN + path, ...given }, ORIGIN);

test("the files of its version and the pages are its business, nothing else is", () => {
  expect(kind("/assets/a-12345678.js")).toBe("file");
  expect(kind("/assets/b-12345678.js")).toBeUndefined();
  expect(kind("/some-body", { mode: "navigate" })).toBe("page");
  expect(kind("/api/messages")).toBeUndefined();
  expect(kind("/api/openapi.json", { mode: "navigate" })).toBeUndefined();
  expect(kind("/metrics", { mode: "navigate" })).toBeUndefined();
  expect(kind("/metrics-fan", { mode: "navigate" })).toBe("page");
  expect(kind("/", { method: "POST", mode: "navigate" })).toBeUndefined();
  expect(
    shell.kindOf({ method: "GET", mode: "navigate", url: "https://else.example/" }, ORIGIN),
  ).toBeUndefined();
});

test("it keeps the build's files, answers with them, and adds nothing", async () => {
  await shell.fill();
  const network = vi.fn(async () => new Response("network"));
  const file = await shell.file(new Request("/assets/a-12345678.js"), network);
  expect(await file.text()).toBe("kept /assets/a-12345678.js");
  expect(network).not.toHaveBeenCalled();
  expect(await (await shell.file(new Request("/assets/gone-1234567.js"), network)).text()).toBe("network");
  expect(await (await shell.page(network())).text()).toBe("network");
  expect([...(stored.get("shell-2")?.keys() ?? [])]).toEqual(BUILD.files);
});

test("earlier versions go, what isn't the shell's stays", async () => {
  for (const name of ["shell-1", "somebody-elses"]) stored.set(name, new Map());
  await shell.fill();
  await shell.forgetOthers();
  expect([...stored.keys()]).toEqual(["somebody-elses", "shell-2"]);
});

test("a page comes from the network, and from the shell when there is none or it takes too long", async () => {
  await shell.fill();
  const fresh = new Response("fresh");
  expect(await (await shell.page(Promise.resolve(fresh))).text()).toBe("fresh");
  expect(await (await shell.page(Promise.reject(new TypeError("offline")))).text()).toBe("kept /index.html");
  expect(await (await shell.page(new Promise(() => {}))).text()).toBe("kept /index.html");
});

test("without a kept page it waits for the network, however long that takes", async () => {
  const slow = new Promise<Response>((resolve) => setTimeout(() => resolve(new Response("slow")), 60));
  expect(await (await shell.page(slow)).text()).toBe("slow");
  await expect(shell.page(Promise.reject(new TypeError("offline")))).rejects.toThrow("offline");
});
