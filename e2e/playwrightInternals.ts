import type { BrowserContext, Page } from '@playwright/test'

/** The parts of Playwright's implementation that are used here. */
interface PageImplementation {
  delegate: { _mainFrameSession: { _client: { send(method: string): Promise<unknown> } } }
}
interface ContextImplementation {
  clock: { uninstall(progress: { race<T>(promise: Promise<T>): Promise<T> }): Promise<void> }
}

/**
 * Turns Playwright's network events of a page on or off. Playwright has no option for it, and the events of 65 files
 * take an eighth of the processor time of a page load.
 */
export async function setNetworkEvents(page: Page, on: boolean) {
  const { delegate } = implementationOf<PageImplementation>(page)
  await delegate._mainFrameSession._client.send(on ? 'Network.enable' : 'Network.disable')
}

/** Removes Playwright's clock. The current document keeps it, the next one has the real time. */
export async function uninstallClock(context: BrowserContext) {
  const { clock } = implementationOf<ContextImplementation>(context)
  await clock.uninstall({ race: promise => promise })
}

/** Returns the object of Playwright's browser side, which runs in the process of the tests. */
function implementationOf<T>(api: Page | BrowserContext): T {
  const connection: { toImpl(api: Page | BrowserContext): T } = Reflect.get(api, '_connection')
  return connection.toImpl(api)
}
