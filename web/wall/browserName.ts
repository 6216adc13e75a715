import { televisionsText } from '#web/text/televisions.ts'

/** Names a browser and its system, as far as they are known. */
export function browserName({
  browser,
  system,
}: {
  browser: string | null
  system: string | null
}): string {
  if (browser !== null && system !== null) return televisionsText.browser(browser, system)
  return browser ?? system ?? televisionsText.unknownBrowser
}
