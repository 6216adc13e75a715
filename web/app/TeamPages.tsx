import { lazy, Suspense } from 'react'
import { Navigate, useRoutes } from 'react-router'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { CircuitsScreen } from '#web/features/circuits/CircuitsScreen.tsx'
import { LogScreen } from '#web/features/log/LogScreen.tsx'
import { HistoryScreen } from '#web/features/members/HistoryScreen.tsx'
import { InviteScreen } from '#web/features/members/InviteScreen.tsx'
import { MembersScreen } from '#web/features/members/MembersScreen.tsx'
import { PlanScreen } from '#web/features/plan/PlanScreen.tsx'
import { AllSessionsScreen } from '#web/features/teams/allSessions/AllSessionsScreen.tsx'
import { RosterScreen } from '#web/features/teams/roster/RosterScreen.tsx'
import { WordsScreen } from '#web/features/teams/words/WordsScreen.tsx'
import { TelevisionsScreen } from '#web/features/televisions/TelevisionsScreen.tsx'
import { WallScreen } from '#web/features/wall/WallScreen.tsx'
import { WithRefuel } from './WithRefuel.tsx'

export { Television } from './Television.tsx'

const RaceDialog = lazy(async () => ({
  default: (await import('#web/features/race/RaceDialog.tsx').catch(reloadWhenReachable))
    .RaceDialog,
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
