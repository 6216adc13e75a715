/** Downloads a file, which the server names. A refused download leaves the page as it is. */
export function download(href: string) {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
