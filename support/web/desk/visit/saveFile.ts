/** Downloads a file under a name. Colons are replaced, because file systems do not allow them. */
export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name.replaceAll(':', '-')
  link.click()
  // The browser has started reading the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
