import { useParams } from "react-router-dom";
import { ConfirmForm } from "@/features/account/ConfirmForm";
import { LoginForm } from "@/features/account/LoginForm";
import { NewPasswordForm, ResetForm } from "@/features/account/resetForms";
import { SignUpPage } from "@/features/account/SignUpForm";
import { FeedbackForm } from "@/features/feedback/FeedbackForm";
import { accountText } from "@/shared/text/accountText";
import { text } from "@/shared/text/text";
import { requireNobody } from "../requireAccount";
import { page } from "../usePageTitle";

export const login = { ...page(() => text.actions.signIn, LoginForm), loader: requireNobody };
export const signUp = { ...page(() => text.actions.signUp, SignUpPage), loader: requireNobody };
export const reset = page(() => accountText.reset.title, ResetForm);
export const feedback = page(() => text.footer.feedback, FeedbackForm);
export const confirm = page(
  () => accountText.confirm.title,
  () => <ConfirmForm token={useParams().token ?? ""} />,
);
export const resetConfirm = page(
  () => accountText.resetConfirm.title,
  () => <NewPasswordForm token={useParams().token ?? ""} />,
);
