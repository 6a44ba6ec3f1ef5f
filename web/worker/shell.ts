/** What a build consists of: the files of one version of the app. */
export type Build = { version: string; files: string[] };

/** The page that every address of the app shares. */
export const PAGE = "/";

const CACHE_PREFIX = "shell-";

/** How long a page may take to come before the kept one is shown instead. */
export const PATIENCE_MS = 3000;

/** What answers these is the server itself: fresh, or not at all. */
const SERVERS_OWN = /^\/(api|healthz|readyz|metrics)(\/|$)/;

/**
 * One version of the app, kept so that it opens without a network. It is filled once, with the files of the build and
 * nothing else; what the API says never gets here, so there is nothing personal in it to be forgotten at a logout.
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

  /** Earlier versions go: they would only be in the way. */
  async forgetOthers() {
    const names = await this.#caches.keys();
    const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== this.#name);
    await Promise.all(old.map((name) => this.#caches.delete(name)));
  }

  /** Which answer a request gets from here, or undefined for those that are none of our business. */
  kindOf({ method, mode, url }: Pick<Request, "method" | "mode" | "url">, origin: string) {
    const address = new URL(url);
    if (method !== "GET" || address.origin !== origin || SERVERS_OWN.test(address.pathname)) return undefined;
    if (mode === "navigate") return "page";
    return this.#files.has(address.pathname) ? "file" : undefined;
  }

  /** A file of this version. Its name changes with its content, so the kept one is the right one. */
  async file(request: Request, network: () => Promise<Response>): Promise<Response> {
    return (await this.#kept(new URL(request.url).pathname)) ?? network();
  }

  /** The page as the server has it, because a newer version is better; the kept one when that takes too long. */
  async page(network: Promise<Response>): Promise<Response> {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, this.#patience));
    const answer = await Promise.race([network, late]).catch(() => undefined);
    return answer ?? (await this.#kept(PAGE)) ?? network;
  }

  async #kept(path: string): Promise<Response | undefined> {
    return (await this.#caches.open(this.#name)).match(path);
  }
}

/** Without cookies; past the browser's own cache where a name doesn't change with the content. */
function asked(path: string): Request {
  return new Request(path, {
    cache: path.startsWith("/assets/") ? "default" : "reload",
    credentials: "omit",
  });
}
