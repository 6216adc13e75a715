import { thisIos } from './ios.ts'

/** The browser's own dialog to install the app, in Chromium only. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

let offered: InstallPrompt | null = null
const listeners = new Set<() => void>()

/** Remembers the browser's offer to install the app, which comes soon after the start. Call the result to stop. */
export function catchInstallPrompt(): () => void {
  const offer = (event: Event) => {
    // Without this the browser shows its own banner.
    event.preventDefault()
    setOffered(event as InstallPrompt)
  }
  const installed = () => setOffered(null)
  window.addEventListener('beforeinstallprompt', offer)
  window.addEventListener('appinstalled', installed)
  return () => {
    window.removeEventListener('beforeinstallprompt', offer)
    window.removeEventListener('appinstalled', installed)
  }
}

/** True if the browser can show its dialog. */
export function hasInstallPrompt(): boolean {
  return offered !== null
}

export function onInstallPrompt(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Shows the browser's dialog, which it allows once. Requires a user gesture. */
export async function promptInstall(): Promise<void> {
  const prompt = offered
  setOffered(null)
  await prompt?.prompt()
}

/** Whether the page was opened as an installed app, not in a browser tab. */
export function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches
}

/** A phone or tablet on which the app is not installed: how to install it there. Null elsewhere. */
export function installPlatform(): 'ios' | 'android' | null {
  if (isInstalled()) return null
  if (thisIos()) return 'ios'
  return navigator.userAgent.includes('Android') ? 'android' : null
}

function setOffered(prompt: InstallPrompt | null) {
  offered = prompt
  for (const listener of listeners) listener()
}
