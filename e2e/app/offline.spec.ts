import { expect } from '@playwright/test'
import { openInstalled, test, withServiceWorker } from './installed.ts'

test.use(withServiceWorker)

const icons = [
  { src: '/icon.svg', sizes: 'any', purpose: 'any' },
  { src: '/icon-192.png', sizes: '192x192', purpose: 'any' },
  { src: '/icon-512.png', sizes: '512x512', purpose: 'any' },
  { src: '/icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
  { src: '/icon-monochrome.svg', sizes: 'any', purpose: 'monochrome' },
]

interface Icon {
  src: string
  sizes: string
  purpose?: string
}

// spec: PR-1
test('the manifest makes the app installable, and its icons have the declared sizes', async ({
  deployment,
  page,
}) => {
  await page.goto(deployment.url)
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await page.request.get(deployment.url + address)).json()
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Pitboard',
    start_url: '/teams',
    scope: '/',
    display: 'standalone',
    orientation: 'any',
    background_color: '#0A0C0B',
    theme_color: '#ECEEEA',
  })
  const listed = manifest.icons.map(({ src, sizes, purpose = 'any' }: Icon) => ({
    src,
    sizes,
    purpose,
  }))
  expect(listed).toEqual(icons)
  for (const { src, sizes } of icons) {
    const size = await page.evaluate(async src => {
      const image = new Image()
      image.src = src
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    if (sizes !== 'any') expect(size).toBe(sizes)
  }
  const devtools = await page.context().newCDPSession(page)
  const { errors } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
})

// spec: CO-14
test('three images are preloaded', async ({ deployment, page }) => {
  const loaded = ['/icon.svg', '/icon-192.png', '/icon-512.png'].map(path =>
    page.waitForResponse(response => response.url() === deployment.url + path && response.ok()),
  )
  await page.goto(deployment.url)
  await Promise.all(loaded)
})

test('without a network the app opens, shows the user and that it is offline', async ({
  deployment,
  browserOf,
}) => {
  const context = await browserOf(deployment.scene.ana)
  const page = await openInstalled(context, '/teams')
  await expect(page.getByRole('link', { name: 'Northline Racing' })).toBeVisible()

  await context.setOffline(true)
  await page.goto('/teams')
  await expect(page.getByText('You are offline. Reconnecting...')).toBeVisible()
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByText('Ana Lindqvist')).toBeVisible()
  await expect(page.getByText(deployment.scene.ana.email)).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByText('You are offline. Reconnecting...')).toBeHidden()
})

test('without a network the drive screen opens with the last message and Offline', async ({
  deployment,
  browserOf,
}) => {
  const { ana, leo, drivePath, sessionId } = deployment.scene
  const context = await browserOf(leo)
  const phone = await openInstalled(context, drivePath)
  await expect(phone.getByText('Online')).toBeVisible()
  await ana.call.messages.set({ sessionId, type: 'Push', commandId: crypto.randomUUID() })
  await expect(phone.getByRole('alert')).toHaveText('Push')
  // Offline, only a message is shown again that was painted before.
  const shownAt = async () => (await ana.call.sessions.get({ sessionId })).message.shownAt
  await expect.poll(shownAt).not.toBeNull()

  await context.setOffline(true)
  await phone.goto(drivePath)
  await expect(phone.getByText('Offline')).toBeVisible()
  await expect(phone.getByRole('alert')).toHaveText('Push')

  await ana.call.messages.set({ sessionId, type: 'Pit', commandId: crypto.randomUUID() })
  await context.setOffline(false)
  await expect(phone.getByRole('alert')).toHaveText('Pit')
  await expect(phone.getByText('Online')).toBeVisible()
})

test('without a network a restarted phone finds the way back to its drive screen', async ({
  deployment,
  browserOf,
}) => {
  const { leo, drivePath } = deployment.scene
  const context = await browserOf(leo)
  const phone = await openInstalled(context, drivePath)
  await expect(phone.getByText('Online')).toBeVisible()

  await context.setOffline(true)
  for (const path of [drivePath.split('/', 3).join('/'), '/teams']) {
    await phone.goto(path)
    const back = phone.getByRole('link', { name: 'Enter your existing Race Session' })
    await expect(back, path).toHaveAttribute('href', drivePath)
    // Without a network no part keeps loading: each names what is missing.
    await expect(phone.locator('[aria-busy]'), path).toHaveCount(0)
  }
  await phone.getByRole('link', { name: 'Enter your existing Race Session' }).click()
  await expect(phone).toHaveURL(drivePath)
  await expect(phone.getByText('Offline')).toBeVisible()
})

test('API, live connection and version are never served from the cache', async ({
  deployment,
  browserOf,
}) => {
  const context = await browserOf(deployment.scene.ana)
  const page = await openInstalled(context, '/teams')
  await expect(page.getByRole('link', { name: 'Northline Racing' })).toBeVisible()
  const cachedPaths = await page.evaluate(async () => {
    const requests = []
    for (const name of await caches.keys())
      requests.push(...(await (await caches.open(name)).keys()))
    return requests.map(({ url }) => new URL(url).pathname)
  })
  expect(cachedPaths).toContain('/')
  expect(cachedPaths.filter(path => /^\/(api|live|dev|version\.json)/.test(path))).toEqual([])
  expect(cachedPaths.filter(path => /\.(gz|br)$/.test(path))).toEqual([])

  await context.setOffline(true)
  for (const path of [
    '/api/auth.login',
    '/api/openapi.json',
    '/live',
    '/dev/mailbox',
    '/version.json',
  ]) {
    const answer = await page.evaluate(
      path =>
        fetch(path).then(
          response => response.status,
          () => 'none',
        ),
      path,
    )
    expect(answer, path).toBe('none')
    const visit = await context.newPage()
    await expect(visit.goto(path), path).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
    await visit.close()
  }
})
