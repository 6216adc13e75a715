import { whenIdle } from '#web/device/idle.ts'

/** Images the operating system shows: tab, installation, task switcher. */
const images = ['/icon.svg', '/icon-192.png', '/icon-512.png']

/** Delay of the preload: on a slow network it would compete with the code of the next screen. */
const delayMs = 5000

/** Fetches the images some time after the page is loaded, before they are needed. Returns the cancel function. */
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
