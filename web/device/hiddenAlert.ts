import { playTone, unlockSound, wantsSound } from './sound.ts'
import { isVisible, onVisible } from './visibility.ts'

let unseen = 0
let titleBefore = ''
let titleShown = ''

/**
 * Draws attention to an open but hidden page: a tone, the text in the tab's title, and a number on the icon of the
 * installed app. They disappear once the page is visible. Does nothing on a visible page.
 */
export function alertWhileHidden(text: string) {
  if (isVisible()) return
  if (unseen === 0) clearWhenVisible()
  unseen += 1
  if (document.title !== titleShown) titleBefore = document.title
  titleShown = `(${unseen}) ${text}`
  document.title = titleShown
  // Not in every browser, and refused where the app is not installed.
  if ('setAppBadge' in navigator) navigator.setAppBadge(unseen).catch(() => undefined)
  if (wantsSound()) playTone()
}

/**
 * Unlocks sounds with the next tap or key, as browsers require. Call the result to stop. Opening the audio device blocks
 * the page for tens of milliseconds: at the end of a click, a message has been sent before.
 */
export function unlockAlerts(): () => void {
  const unlock = () => void unlockSound()
  const gestures = ['click', 'keydown'] as const
  for (const gesture of gestures) window.addEventListener(gesture, unlock, { once: true })
  return () => {
    for (const gesture of gestures) window.removeEventListener(gesture, unlock)
  }
}

function clearWhenVisible() {
  const stop = onVisible(() => {
    stop()
    unseen = 0
    // Another screen may have set its own title since.
    if (document.title === titleShown) document.title = titleBefore
    if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined)
  })
}
