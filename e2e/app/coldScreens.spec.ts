import { expect, type Page } from '@playwright/test'
import { oneCarRace } from '#testing/people/raceScene.ts'
import { addCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { hold } from '../mockApi.ts'

/**
 * Returns the paths that a page requests, once the network is idle, without its check for an update, which begins at any
 * time from then on. Later requests are added.
 */
async function requestsOf(page: Page, path: string): Promise<string[]> {
  const paths: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/version.json') return
    paths.push(pathname.startsWith('/api/') ? pathname + search : pathname)
  })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  return paths
}

function repeated(paths: string[]): string[] {
  return paths.filter((path, index) => path.startsWith('/api/') && paths.indexOf(path) !== index)
}

test('a cold message screen needs at most 25 requests, and calls nothing twice', async ({
  scene,
  open,
  messageUrl,
}) => {
  const page = await open(scene.ana)
  const paths = await requestsOf(page, messageUrl)
  expect(repeated(paths)).toEqual([])
  expect(paths.length > 25 ? paths : []).toEqual([])
})

test('a cold pit wall needs at most 30 requests, and calls nothing twice', async ({
  scene,
  open,
  session,
}) => {
  const page = await open(scene.ana)
  const paths = await requestsOf(page, `/teams/${session.teamId}/wall`)
  expect(repeated(paths)).toEqual([])
  expect(paths.length > 30 ? paths : []).toEqual([])
})

test('a cold team home calls nothing twice', async ({ scene, open, session }) => {
  const page = await open(scene.ana)
  expect(repeated(await requestsOf(page, `/teams/${session.teamId}`))).toEqual([])
})

test('a cold team home and a cold page of a race call nothing twice', async ({ person, open }) => {
  const ana = await person('Ana')
  const { teamId, raceId } = await oneCarRace(ana)
  await addCar(ana, teamId, '44')
  for (const path of [`/teams/${teamId}`, `/teams/${teamId}/races/${raceId}`]) {
    const paths = await requestsOf(await open(ana), path)
    const races = () => paths.filter(each => each.startsWith('/api/carRaces.'))
    // On a slow machine the network is idle before the screen requests them.
    await expect.poll(races).toHaveLength(3)
    expect(repeated(paths)).toEqual([])
  }
})

test('links below the laps appear only with the laps, so that nothing moves', async ({
  scene,
  open,
  messageUrl,
}) => {
  const page = await open(scene.ana)
  const release = await hold(page, 'laps.list')
  await page.goto(messageUrl.replace('/message', '/laps'))
  const ways = page.getByRole('link', { name: 'Correct driver changes' })
  await expect(page.getByRole('status', { name: 'Loading laps' })).toBeVisible()
  await expect(page.getByRole('main').locator('div:has(> h1)')).toContainText('Leo Garnier')
  await expect(ways).toBeHidden()
  await release()
  await expect(ways).toBeVisible()
})

test('the sentence above the laps moves nothing when it has loaded', async ({
  scene,
  open,
  messageUrl,
}) => {
  const page = await open(scene.ana)
  const release = await hold(page, 'carRaces.ofSession')
  await page.goto(messageUrl.replace('/message', '/laps'))
  const head = page.getByRole('main').locator('div:has(> h1)')
  const heightPx = async () => {
    await page.evaluate(() => document.fonts.ready)
    return (await head.boundingBox())?.height
  }
  await expect(page.getByRole('status', { name: 'Loading laps' })).toBeVisible()
  const before = await heightPx()
  await release()
  await expect(head).toContainText('Leo Garnier')
  expect(await heightPx()).toBe(before)
})
