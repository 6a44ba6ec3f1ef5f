import { siteContact } from "@/shared/siteName";

/** The operator's address, as a link. Where there is none, the styles hide it. */
export function SiteContact() {
  return (
    <a data-site-contact-here href={siteContact}>
      {import.meta.env.SSR ? "{contact-words}" : siteContact?.replace("mailto:", "")}
    </a>
  );
}
