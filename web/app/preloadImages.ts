import { whenIdle } from '#web/device/screen/idle.ts'

/** Images the operating system shows: tab, installation, task switcher. */
const images = ['/icon.svg', '/icon-192.png', '/icon-512.png']

/** On a slow network they would delay the code of the next screen. */
const delayMs = 5000

/** Fetches them some time after the page is loaded, before they are needed. Returns the cancel function. */
export function preloadImages(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancelIdle = whenIdle(() => {
    timer = setTimeout(() => {
      for (const address of images) new Image().src = address
    }, delayMs)
  })
  return () => {
    cancelIdle()
    clearTimeout(timer)
  }
}
