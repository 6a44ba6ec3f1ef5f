/** Where a link can be handed on without an account or a script of theirs: plain addresses, opened by a click. */
export function shareTargets(link: string, words: string) {
  const both = encodeURIComponent(`${words} ${link}`);
  const url = encodeURIComponent(link);
  const text = encodeURIComponent(words);
  return {
    whatsapp: `https://wa.me/?text=${both}`,
    messenger: `https://t.me/share/url?url=${url}&text=${text}`,
    post: `https://x.com/intent/post?text=${text}&url=${url}`,
  };
}
