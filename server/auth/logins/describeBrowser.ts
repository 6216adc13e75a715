/** Shown in the list of logins. */
export interface BrowserDescription {
  browser: string | null
  system: string | null
}

/** The first match wins, because most browsers also name the ones they descend from. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(A|iOS|e)?\//, 'Edge'],
  [/\b(OPR|OPT|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Parses a User-Agent header. It is untrusted, so the result contains only names from these lists, or null. */
export function describeBrowser(userAgent: string | undefined): BrowserDescription {
  const nameIn = (list: typeof browsers) =>
    list.find(([pattern]) => pattern.test((userAgent ?? '').slice(0, 512)))?.[1] ?? null
  return { browser: nameIn(browsers), system: nameIn(systems) }
}
