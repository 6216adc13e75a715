import { expect, type Page } from '@playwright/test'
import { test } from './supportDesk.ts'

// spec: PR-7
test('a usability test starts from its URL, survives a reload and ends', async ({
  page,
  leo,
  agentPerson,
}) => {
  const sam = await agentPerson('sam')
  const { id } = await sam.call.support.createTest({
    title: 'Find the map',
    guidelines: 'Say what you <b>think</b>.<img src=x onerror="window.hurt = true">',
    tasks: [
      { title: 'Open a session', description: 'Any of them.', allowTyping: false },
      { title: 'Where is the car?', description: 'In your words.', allowTyping: true },
    ],
  })
  await page.goto(`/teams?oruxt=${id}`)
  await expect(page.getByText('Find the map')).toBeVisible()
  await expect(page.getByText('We record how far you get')).toBeVisible()
  await page.getByText('Read guidelines to begin').click()
  await expect(page.getByText('Say what you <b>think</b>.<img')).toBeVisible()
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false)
  await page.getByText('Begin Test').click()
  await expect(page.getByText('Open a session')).toBeVisible()
  const stored = responseToTask(page, { testId: id, taskId: 1, status: 'done' })
  await page.getByText('Done, Next').click()
  await stored

  // The id is stored now and need not be in the URL.
  await page.goto('/teams')
  await expect(page.getByText('Where is the car?')).toBeVisible()
  await page.getByRole('textbox').fill('In Eau Rouge')
  await page.getByText('Done, Next').click()
  await page.getByText('End Session').click()
  await expect(page.getByText('Find the map')).toHaveCount(0)

  await expect
    .poll(async () => {
      const { signals } = await sam.call.support.getTest({ testId: id })
      return signals.map(({ task, status, answer }) => [task, status, answer])
    })
    .toEqual(
      expect.arrayContaining([
        [null, 'begin', null],
        [1, 'done', null],
        [2, 'done', 'In Eau Rouge'],
        [null, 'done', null],
      ]),
    )
  const { people } = await sam.call.support.getTest({ testId: id })
  expect(people.map(({ email }) => email)).toEqual([leo.email])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Find the map')).toHaveCount(0)
})

test('a second test starts at its first task and keeps its time across a reload', async ({
  page,
  agentPerson,
}) => {
  const sam = await agentPerson('sam')
  const tasks = ['Open a session', 'Where is the car?'].map(title => ({
    title,
    description: '',
    allowTyping: false,
  }))
  const make = (title: string) => sam.call.support.createTest({ title, guidelines: '', tasks })
  const [first, second] = [await make('Find the map'), await make('Once more')]
  async function begin(id: number) {
    await page.goto(`/teams?oruxt=${id}`)
    await page.getByText('Read guidelines to begin').click()
    await page.getByText('Begin Test').click()
  }
  await begin(first.id)
  await page.getByText('Done, Next').click()
  await expect(page.getByText('Where is the car?')).toBeVisible()
  await page.getByText('Done, Next').click()
  await page.getByText('End Session').click()

  const started = responseToTask(page, { testId: second.id, taskId: 1, status: 'begin' })
  await begin(second.id)
  await started
  await expect(page.getByText('Open a session')).toBeVisible()
  await page.goto('/teams')
  await page.getByText('Done, Next').click()
  await expect
    .poll(async () => {
      const { signals } = await sam.call.support.getTest({ testId: second.id })
      return signals.find(({ task, status }) => task === 1 && status === 'done')?.durationMs ?? 0
    })
    .toBeGreaterThan(0)
})

/** Resolves when the server has answered this signal of a task. Others may come before. */
function responseToTask(
  page: Page,
  signal: { testId: number; taskId: number; status: 'begin' | 'done' },
) {
  return page.waitForResponse(response => {
    if (!response.url().endsWith('/uxt/signals/task')) return false
    const sent = response.request().postDataJSON()
    return (['testId', 'taskId', 'status'] as const).every(key => sent[key] === signal[key])
  })
}
