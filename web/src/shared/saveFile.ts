/** Hands a file to the browser's downloads. */
export function saveFile(file: File) {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = file.name;
  link.click();
  // Not at once: the download may not have begun.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
