import type { Page } from '@playwright/test'

/** A screen that shows no team's data. */
const elsewhere = { path: '/privacy', title: 'Privacy' }

/**
 * Opens a path of the app. A page that shows the app already does not load it again: it goes to another screen first,
 * so that nothing of the last one remains, and then to the path.
 */
export async function visit(page: Page, path: string) {
  const { protocol, pathname } = new URL(page.url())
  // A page that does not show the app is blank, or shows this file after a reset.
  if (!protocol.startsWith('http') || pathname === '/version.json')
    return void (await page.goto(path))
  await navigate(page, elsewhere.path)
  const title = page.getByRole('heading', { level: 1, name: elsewhere.title })
  await title.waitFor()
  await navigate(page, path)
  // Until that screen has closed, it could be mistaken for the state.
  if (path !== elsewhere.path) await title.waitFor({ state: 'detached' })
}

/** Changes the page's address as its Back button does. */
function navigate(page: Page, path: string) {
  return page.evaluate(to => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
