import { lazy, Suspense } from 'react'
import { Navigate, useRoutes } from 'react-router'
import { CircuitsScreen } from '#web/circuits/CircuitsScreen.tsx'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { LogScreen } from '#web/message/LogScreen.tsx'
import { PlanScreen } from '#web/race/plan/PlanScreen.tsx'
import { AllSessionsScreen } from '#web/teams/AllSessionsScreen.tsx'
import { HistoryScreen } from '#web/teams/HistoryScreen.tsx'
import { InviteScreen } from '#web/teams/InviteScreen.tsx'
import { MembersScreen } from '#web/teams/MembersScreen.tsx'
import { RosterScreen } from '#web/teams/RosterScreen.tsx'
import { WordsScreen } from '#web/teams/WordsScreen.tsx'
import { TelevisionsScreen } from '#web/wall/TelevisionsScreen.tsx'
import { WallScreen } from '#web/wall/WallScreen.tsx'
import { WithRefuel } from './WithRefuel.tsx'

export { Television } from './Television.tsx'

const RaceDialog = lazy(async () => ({
  default: (await import('#web/race/RaceDialog.tsx').catch(reloadWhenReachable)).RaceDialog,
}))

/**
 * Pages of a team that are opened rarely, with their routes, in one file: the first load lists every file and route of
 * the app, and each entry adds to its size.
 */
export function TeamPages() {
  return useRoutes([
    { path: 'members', element: <MembersScreen /> },
    { path: 'members/invite', element: <InviteScreen /> },
    { path: 'history', element: <HistoryScreen /> },
    { path: 'sessions', element: <AllSessionsScreen /> },
    {
      path: 'cars',
      element: (
        <WithRefuel>
          <RosterScreen />
        </WithRefuel>
      ),
    },
    { path: 'words', element: <WordsScreen /> },
    { path: 'circuits/:circuitId?', element: <CircuitsScreen /> },
    {
      path: 'wall',
      element: (
        <WallScreen
          renderRaceDialog={race => (
            <Suspense>
              <RaceDialog {...race} />
            </Suspense>
          )}
        />
      ),
    },
    { path: 'televisions', element: <TelevisionsScreen /> },
    { path: ':sessionId/log', element: <LogScreen /> },
    { path: ':sessionId/plan', element: <PlanScreen /> },
    { path: '*', element: <Navigate to="/teams" replace /> },
  ])
}
