import { api } from "@/shared/api/api";

/** What came of looking at the files. */
export type Checked = {
  version: string;
  /** One digest for all files, computed here. */
  digest: string;
  count: number;
  /** Files whose bytes aren't what the server says, or that didn't come. */
  different: string[];
  /** Scripts and styles that this page has loaded and the server doesn't list. */
  unlisted: string[];
};

/** Hashes every file as this browser gets it: from its own memory where it has the file, as it does for its pages. */
export async function check(onProgress: (done: number, all: number) => void): Promise<Checked> {
  const { version, files } = await api("get", "/api/web-hash", {});
  const different: string[] = [];
  let [done, lines] = [0, ""];
  for (const { path, sha256 } of files) {
    const found = await hashAt(`/${path}`);
    if (found !== sha256) different.push(path);
    lines += `${found}  ${path}\n`;
    done += 1;
    onProgress(done, files.length);
  }
  const digest = await hex(new TextEncoder().encode(lines));
  const listed = new Set(files.map(({ path }) => new URL(`/${path}`, window.location.origin).href));
  return {
    version,
    digest,
    count: files.length,
    different,
    unlisted: loaded().filter((address) => !listed.has(address)),
  };
}

async function hashAt(path: string): Promise<string> {
  try {
    const response = await fetch(path);
    return response.ok ? await hex(new Uint8Array(await response.arrayBuffer())) : "-";
  } catch {
    return "-";
  }
}

async function hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The scripts and styles of this page. */
function loaded(): string[] {
  const resources = performance.getEntriesByType("resource").map(({ name }) => name);
  const scripts = Array.from(document.scripts, ({ src }) => src);
  return [...new Set([...resources, ...scripts])].filter((address) => /\.(js|css)(\?|$)/.test(address));
}

/** A digest in groups that people can compare. */
export const grouped = (digest: string) => (digest.match(/.{1,8}/g) ?? []).join(" ");

/** Whether what was pasted has this digest in it: a digest, or all that a release says. */
export const names = (pasted: string, digest: string) =>
  pasted.toLowerCase().replaceAll(/\s/g, "").includes(digest);
