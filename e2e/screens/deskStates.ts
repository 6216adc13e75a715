import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import type { AssistConnection } from '#support/testing/assistConnection.ts'
import { ingest, openTab, startVisit, to } from '#support/testing/assistVisit.ts'
import { refuse } from '../mockApi.ts'
import type { Stage } from './stage.ts'
import { type State, watching } from './state.ts'

const tabId = 'tab1'

/** Connects Théo to the desk as an open app would, until this page is closed. */
async function connectTheo(page: Page, { url, people }: Stage) {
  const visitId = await startVisit(url, people.theo)
  const tab = openTab(url, people.theo, { visitId, tabId })
  page.once('close', () => tab.close())
  await tab.opened()
  return { visitId, tab }
}

async function openVisit(page: Page, stage: Stage): Promise<AssistConnection> {
  const { visitId, tab } = await connectTheo(page, stage)
  await page.goto(`/support/visits/${visitId}/${tabId}`)
  await page.getByRole('heading', { name: 'Théo Garnier' }).waitFor()
  await tab.next('NEW_AGENT')
  return tab
}

/** The rrweb events of a page with one line of text. */
function pageWithText(text: string, at: number) {
  const element = (id: number, tagName: string, childNodes: object[], style?: string) => ({
    type: 2,
    id,
    tagName,
    attributes: style === undefined ? {} : { style },
    childNodes,
  })
  const line = element(6, 'h1', [{ type: 3, id: 7, textContent: text }], 'font: 40px sans-serif')
  const html = element(3, 'html', [element(4, 'head', []), element(5, 'body', [line])])
  const doctype = { type: 1, id: 2, name: 'html', publicId: '', systemId: '' }
  return [
    { type: 4, timestamp: at, data: { href: '/teams', width: 390, height: 700 } },
    {
      type: 2,
      timestamp: at,
      data: {
        node: { type: 0, id: 1, childNodes: [doctype, html] },
        initialOffset: { top: 0, left: 0 },
      },
    },
  ]
}

async function makeTest({ people: { marta } }: Stage) {
  return marta.call.support.createTest({
    title: 'Find the car',
    guidelines: 'Think aloud.\nThere is no wrong answer.',
    tasks: [
      { title: 'Open the session of Noor', description: '', allowTyping: false },
      { title: 'Where is the car?', description: 'In your own words.', allowTyping: true },
    ],
  })
}

/** Screens of the built-in desk, with Marta as the agent. */
export const deskStates: readonly State[] = [
  watching('support-nobody', { shows: 'Nobody is online' }, page => page.goto('/support')),
  watching('support', async (page, stage) => {
    await connectTheo(page, stage)
    await page.goto('/support')
    await page.getByRole('link', { name: /Théo Garnier/ }).waitFor()
  }),
  watching('support-failed', { shows: 'The visitors did not load' }, async page => {
    await refuse(page, 'support.visitors', 'too-many')
    await page.goto('/support')
  }),
  watching('support-visit', async (page, stage) => {
    await openVisit(page, stage)
    await page.getByRole('button', { name: 'Ask for control' }).waitFor()
  }),
  watching('support-visit-seen', async (page, stage) => {
    const tab = await openVisit(page, stage)
    await page.getByRole('button', { name: 'Ask for control' }).click()
    const [agentId] = await tab.next('request_control')
    tab.send('control_granted', to(tabId, agentId))
    const events = JSON.stringify(pageWithText('Select a Team', Date.now()))
    tab.send('view', to(tabId, gzipSync(events)))
    await page.getByRole('button', { name: 'Point, click and scroll' }).waitFor()
  }),
  watching('support-recordings', async page => {
    await page.goto('/support/recordings')
    const events = JSON.stringify(pageWithText('Select a Team', Date.now()))
    await page.locator('input[type=file]').setInputFiles({
      name: 'recording.json',
      mimeType: 'application/json',
      buffer: Buffer.from(events),
    })
    await page.getByRole('button', { name: 'Play', disabled: false }).waitFor()
  }),
  watching('support-visit-lost', async (page, stage) => {
    await page.routeWebSocket(/ws-assist/, connection => connection.close())
    const { visitId } = await connectTheo(page, stage)
    await page.goto(`/support/visits/${visitId}/${tabId}`)
    await page.getByRole('button', { name: 'Connect again' }).waitFor()
  }),
  watching('support-test-new', { shows: 'Fill this in.' }, async page => {
    await page.goto('/support/tests/new')
    await page.getByRole('button', { name: 'Add a task' }).click()
    await page.getByLabel('Title').focus()
    await page.getByLabel('Title').blur()
  }),
  watching('support-tests', async (page, stage) => {
    await makeTest(stage)
    await page.goto('/support/tests')
    await page
      .getByRole('link', { name: /Find the car/ })
      .first()
      .waitFor()
  }),
  watching('support-test-results', async (page, stage) => {
    const { id: testId } = await makeTest(stage)
    const { theo } = stage.people
    const token = await startVisit(stage.url, theo)
    const sendSignal = (path: string, body: object) =>
      ingest(stage.url, theo, { path: `uxt/signals/${path}`, token, body: { testId, ...body } })
    await sendSignal('test', { status: 'begin', duration: 0 })
    await sendSignal('task', { taskId: 1, status: 'done', duration: 8200 })
    const answer = 'At the end of Kemmel'
    await sendSignal('task', { taskId: 2, status: 'done', duration: 21_400, taskAnswer: answer })
    await sendSignal('test', { status: 'done', duration: 75_000 })
    await page.goto(`/support/tests/${testId}`)
    await page.getByText(answer).waitFor()
  }),
  watching('support-audit', async (page, stage) => {
    await makeTest(stage)
    await page.goto('/support/audit')
    await page.getByText('Marta Lindqvist created a usability test').first().waitFor()
  }),
]
