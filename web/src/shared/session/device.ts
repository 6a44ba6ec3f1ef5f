import { deviceStorage } from "@/shared/storage";

const KEY = "annon_device";

/**
 * What the server gave this browser when somebody last signed in or set a password here. It opens nothing: shown at the
 * next sign-in, it lets its account's owner in while strangers guess at the password. Not a cookie, or it would travel
 * with other calls.
 */
export const device = {
  shown: (): { device?: string } => {
    const stored = deviceStorage.getItem(KEY);
    return stored === null ? {} : { device: stored };
  },
  keep: (given: string) => void deviceStorage.setItem(KEY, given),
  forget: () => deviceStorage.removeItem(KEY),
};
