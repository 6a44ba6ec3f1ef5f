/** The files of one version of the app. */
export type Build = { version: string; files: string[] };

/** A page without content, which the app draws at any address. */
export const PAGE = "/index.html";

const CACHE_PREFIX = "shell-";

/** If the server's page takes longer than this, the kept page is shown. */
export const PATIENCE_MS = 3000;

/** Addresses that only the server answers. */
const SERVERS_OWN = /^\/(api|healthz|readyz|metrics)(\/|$)/;

/**
 * One version of the app, kept so that it opens without a network. It has only the files of the build. Answers of the
 * API are never kept, so nothing personal has to be removed at a logout.
 */
export class Shell {
  readonly #name: string;
  readonly #files: ReadonlySet<string>;
  readonly #caches: CacheStorage;
  readonly #patience: number;

  constructor({ version, files }: Build, caches: CacheStorage, patience = PATIENCE_MS) {
    this.#name = CACHE_PREFIX + version;
    this.#files = new Set(files);
    this.#caches = caches;
    this.#patience = patience;
  }

  async fill() {
    const cache = await this.#caches.open(this.#name);
    await cache.addAll([...this.#files].map(asked));
  }

  /** Deletes earlier versions. */
  async forgetOthers() {
    const names = await this.#caches.keys();
    const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== this.#name);
    await Promise.all(old.map((name) => this.#caches.delete(name)));
  }

  /** The answer to a request, or undefined if the browser should handle it. */
  kindOf({ method, mode, url }: Pick<Request, "method" | "mode" | "url">, origin: string) {
    const address = new URL(url);
    if (method !== "GET" || address.origin !== origin || SERVERS_OWN.test(address.pathname)) return undefined;
    if (mode === "navigate") return "page";
    return this.#files.has(address.pathname) ? "file" : undefined;
  }

  /** A file of this version. Its name changes with its content, so the kept file is never outdated. */
  async file(request: Request, network: () => Promise<Response>): Promise<Response> {
    return (await this.#kept(new URL(request.url).pathname)) ?? network();
  }

  /** The server's page, because it may be a newer version; the kept page if that takes too long. */
  async page(network: Promise<Response>): Promise<Response> {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, this.#patience));
    const answer = await Promise.race([network, late]).catch(() => undefined);
    return answer ?? (await this.#kept(PAGE)) ?? network;
  }

  async #kept(path: string): Promise<Response | undefined> {
    return (await this.#caches.open(this.#name)).match(path);
  }
}

/** Fetches without cookies; and without the browser's cache if a name does not change with the content. */
function asked(path: string): Request {
  return new Request(path, {
    cache: path.startsWith("/assets/") ? "default" : "reload",
    credentials: "omit",
  });
}
