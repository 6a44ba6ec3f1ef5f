/** What a scene needs to have happened before, done through the API. */
export const PASSWORD = "correct horse";

export async function post(base, path, body, token) {
  const answer = await fetch(`${base}/api${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export async function register(base, username) {
  const email = `${username}@mail.example`;
  await post(base, "/register", { username, email, password: PASSWORD });
  return { username, email, password: PASSWORD };
}

export async function tokenOf(base, { username, password }) {
  const { access_token } = await post(base, "/login", { email_or_username: username, password });
  return access_token;
}

export async function sendNote(base, username, message) {
  const target = await (await fetch(`${base}/api/annon/${username}`)).json();
  await post(base, "/annon-message", { id: target.message, message });
}

/** Signed in without the form. */
export async function signedIn(context, base, person) {
  await context.addCookies([{ name: "annon_token", value: await tokenOf(base, person), url: base }]);
}

export async function createRoom(base, person, name) {
  return post(base, "/room/create", { name }, await tokenOf(base, person));
}
