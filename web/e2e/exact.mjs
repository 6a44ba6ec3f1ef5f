/** For `getByRole`: the whole name and nothing more. */
export const exact = (name) => ({ name, exact: true });
