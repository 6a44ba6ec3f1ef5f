import { Outlet } from "react-router-dom";
import { NoticesHost } from "@/shared/ui/NoticesHost";

export function Component() {
  return (
    <>
      <Outlet />
      <NoticesHost />
    </>
  );
}
