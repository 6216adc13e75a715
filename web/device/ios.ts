/** An iPhone or iPad. Its features depend on the version and on how the app was opened. */
export interface Ios {
  /** Opened from the Home Screen, not in a browser tab. */
  readonly installed: boolean
  /** Such as [16, 4]; null if the user agent does not contain it. */
  readonly version: readonly [major: number, minor: number] | null
}

/** This device as an iPhone or iPad; null elsewhere. */
export function thisIos(): Ios | null {
  return iosOf(navigator, matchMedia('(display-mode: standalone)').matches)
}

export function iosOf(
  { userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>,
  installed: boolean,
): Ios | null {
  // An iPad has the user agent of a Mac, but no Mac has a touch screen.
  const isIos =
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
  if (!isIos) return null
  // Safari's own version equals the system's; an installed app has only the system's version.
  const found = /Version\/(\d+)\.(\d+)/.exec(userAgent) ?? / OS (\d+)_(\d+)/.exec(userAgent)
  return { installed, version: found ? [Number(found[1]), Number(found[2])] : null }
}

/** Whether its version is known and older than this one. */
export function isOlder({ version }: Ios, major: number, minor: number): boolean {
  if (!version) return false
  return version[0] < major || (version[0] === major && version[1] < minor)
}
