import { test as base } from '@playwright/test'
import type { Team } from '#contract/teams.ts'
import type { BuiltServer } from '#testing/builtServer.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { createScene, type Scene as SessionScene } from '#testing/people/scene.ts'
import { createQuickDatabase, startQuickServer } from '#testing/quickServer.ts'
import {
  type Desk,
  type OpenReplayDesk,
  startDesk,
  startOpenReplayDesk,
} from '../support/e2e/deskServers.ts'
import { buildNext } from './builds.ts'
import { PagePool } from './pagePool.ts'
import { type OwnStage, openStage } from './screens/stage.ts'

/** A team, its members and a user outside it, signed up before the tests. */
export interface Scene {
  team: Team
  /** At the pit wall. */
  ana: Person
  /** In the car. */
  leo: Person
  /** A member who does not drive. */
  kim: Person
  stranger: Person
}

/** The usual build, or another one of the same sources. */
type Build = 'usual' | 'next'

/** A server whose build can be replaced while browsers have the app open. */
export interface Deployment {
  url: string
  scene: SessionScene
  /** Stops the server and starts the other build at the same address with the same data. */
  serve(build: Build): Promise<void>
}

export interface WorkerFixtures {
  server: BuiltServer
  pages: PagePool
  nextScene: () => Promise<Scene>
  deployment: Deployment
  nextStage: () => Promise<OwnStage>
  builtInDesk: Desk
  openReplayDesk: OpenReplayDesk
}

/** A login may start 120 sessions per hour: after this many tests a new scene is used. */
const testsPerScene = 50
/** The same for a stage. One test may start a few. */
const sessionsPerStage = 50

/**
 * Fixtures that a worker starts once, when a test first needs them. All worker fixtures are declared here: Playwright
 * ends a worker when the next test has other ones, and a new worker with its server and browser takes seconds.
 */
export const test = base.extend<object, WorkerFixtures>({
  server: [
    // Playwright requires a destructuring pattern, empty for a fixture without dependencies.
    async ({}, provide) => {
      const server = await startQuickServer({
        // Without a provider the sign-in screens have no Google button. No test of this server presses it.
        settings: {
          ANONYMOUS_ACCOUNTS: '1',
          GOOGLE_CLIENT_ID: 'pitboard',
          GOOGLE_CLIENT_SECRET: 'secret',
        },
      })
      await provide(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  pages: [
    async ({ browser }, provide) => {
      const pages = new PagePool(browser)
      await provide(pages)
      await pages.close()
    },
    { scope: 'worker' },
  ],
  nextScene: [
    async ({ server }, provide) => {
      const scenes: Scene[] = []
      let tests = 0
      await provide(async () => {
        if (tests % testsPerScene === 0) scenes.push(await newScene(server, scenes.length))
        tests += 1
        return scenes.at(-1)!
      })
      for (const { ana, leo, kim, stranger } of scenes) {
        for (const each of [ana, leo, kim, stranger]) each[Symbol.dispose]()
      }
    },
    { scope: 'worker' },
  ],
  nextStage: [
    async ({ browser }, provide) => {
      const stages: OwnStage[] = []
      await provide(async () => {
        const last = stages.at(-1)
        if (last && last.stage.sessionsStarted < sessionsPerStage) return last
        await stages.pop()?.close()
        const next = await openStage(browser)
        stages.push(next)
        return next
      })
      await stages.pop()?.close()
    },
    { scope: 'worker' },
  ],
  deployment: [
    async ({}, provide, { parallelIndex }) => {
      const database = await createQuickDatabase()
      let server = await database.start()
      const port = Number(new URL(server.url).port)
      let served: Build = 'usual'
      let next: Promise<string> | undefined
      await provide({
        url: server.url,
        scene: await createScene(server),
        async serve(build) {
          if (build === served) return
          const folder =
            build === 'usual' ? 'dist' : await (next ??= buildNext(`dist/next${parallelIndex}`))
          await server.stop()
          server = await database.start({ build: folder, port })
          served = build
        },
      })
      await server.stop()
      await database.remove()
    },
    { scope: 'worker' },
  ],
  builtInDesk: [
    async ({}, provide) => {
      await using desk = await startDesk()
      await provide(desk)
    },
    { scope: 'worker' },
  ],
  openReplayDesk: [
    async ({}, provide) => {
      await using desk = await startOpenReplayDesk()
      await provide(desk)
    },
    { scope: 'worker' },
  ],
})

async function newScene({ url, mails }: BuiltServer, n: number): Promise<Scene> {
  const person = (firstName: string, lastName: string) => {
    const email = `${firstName}${n}@drive.example`.toLowerCase()
    return createPerson(url, mails, { firstName, lastName, email })
  }
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const kim = await person('Kim', 'Okafor')
  const stranger = await person('Sven', 'Fremd')
  const team = await createTeam(ana, [leo, kim], 'Night Owls')
  return { team, ana, leo, kim, stranger }
}
