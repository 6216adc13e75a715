/** Images the operating system shows: tab, installation, task switcher. */
const images = ['/icon.svg', '/icon-192.png', '/icon-512.png']

/** Fetches them while the browser is idle, so that they are cached before they are needed. */
export function preloadImages() {
  for (const address of images) new Image().src = address
}
