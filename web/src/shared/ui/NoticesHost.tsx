import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { hostIsReady, notices } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { Icon } from "./icons";
import styles from "./NoticesHost.module.css";

/** Shows the notices and has them read out. One of it stands above all screens that give notice. */
export function NoticesHost() {
  useEffect(hostIsReady, []);
  return (
    <Toast.Provider toastManager={notices}>
      <Toast.Portal>
        <Toast.Viewport aria-label={appText.notices.label} className={styles.viewport}>
          <Notices />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Notices() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      className={styles.notice}
      data-kind={toast.type}
      key={toast.id}
      swipeDirection="up"
      toast={toast}
    >
      <Toast.Content className={styles.content}>
        <div>
          <Toast.Title className={styles.title} render={<p />} />
          <Toast.Description className={styles.description} />
        </div>
        <Toast.Close aria-label={appText.notices.close} className={styles.close}>
          <Icon name="close" size={18} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
