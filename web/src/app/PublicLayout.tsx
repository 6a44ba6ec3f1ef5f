import { Outlet } from "react-router-dom";
import { SiteFooter } from "@/features/site/SiteFooter";
import { SiteHeader } from "@/features/site/SiteHeader";
import { Frame } from "./Frame";

/** The frame of the public pages. */
export function PublicLayout() {
  return (
    <Frame footer={<SiteFooter />} header={<SiteHeader />}>
      <Outlet />
    </Frame>
  );
}
