/** An iPhone or iPad. What it can do depends on its version, and on how the app was opened. */
export interface Ios {
  /** Opened from the Home Screen, not in a tab of the browser. */
  readonly installed: boolean
  /** Such as [16, 4]; none where the browser does not tell. */
  readonly version: readonly [major: number, minor: number] | null
}

/** The iPhone or iPad that this is; none elsewhere. */
export function thisIos(): Ios | null {
  return iosOf(navigator, matchMedia('(display-mode: standalone)').matches)
}

export function iosOf(
  { userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>,
  installed: boolean,
): Ios | null {
  // An iPad says that it is a Mac; no Mac has a screen to touch.
  const isIos =
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
  if (!isIos) return null
  // Safari's own version is the system's; an installed app names the system alone.
  const found = /Version\/(\d+)\.(\d+)/.exec(userAgent) ?? / OS (\d+)_(\d+)/.exec(userAgent)
  return { installed, version: found ? [Number(found[1]), Number(found[2])] : null }
}

/** Whether its version is known and older than this one. */
export function isOlder({ version }: Ios, major: number, minor: number): boolean {
  if (!version) return false
  return version[0] < major || (version[0] === major && version[1] < minor)
}
