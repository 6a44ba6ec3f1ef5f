import { deviceStorage } from "@/shared/storage";

const KEY = "annon_device";

/**
 * The token that the server gave this browser at the last sign-in or new password. It does not sign in by itself. Sent
 * with the next sign-in, it lets the owner in while strangers guess the password. It is no cookie, because a cookie
 * would be sent with other calls.
 */
export const device = {
  shown: (): { device?: string } => {
    const stored = deviceStorage.getItem(KEY);
    return stored === null ? {} : { device: stored };
  },
  keep: (given: string) => void deviceStorage.setItem(KEY, given),
  forget: () => deviceStorage.removeItem(KEY),
};
