/** What the system shows of the app: tab, installation, task switcher. */
const images = ['/icon.svg', '/icon-192.png', '/icon-512.png']

/** Loads them while there is nothing else to do, so that they are there when they are wanted. */
export function preloadImages() {
  for (const address of images) new Image().src = address
}
