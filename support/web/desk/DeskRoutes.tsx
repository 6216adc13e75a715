import { useQuery } from '@tanstack/react-query'
import { Outlet, type RouteObject, useRoutes } from 'react-router'
import { deskText } from '#support/web/text/desk.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Redirect } from '#web/ui/Redirect.tsx'
import { settingsQuery } from '../settingsQuery.ts'
import { AuditScreen } from './AuditScreen.tsx'
import { DeskScreen } from './DeskScreen.tsx'
import { RecordingsScreen } from './recordings/RecordingsScreen.tsx'
import { NewTestScreen } from './tests/NewTestScreen.tsx'
import { TestScreen } from './tests/TestScreen.tsx'
import { TestsScreen } from './tests/TestsScreen.tsx'
import { VisitScreen } from './visit/VisitScreen.tsx'

const routes: RouteObject[] = [
  {
    element: <DeskGuard />,
    children: [
      { index: true, element: <DeskScreen /> },
      { path: 'visits/:visitId/:tabId', element: <VisitScreen /> },
      { path: 'tests', element: <TestsScreen /> },
      { path: 'tests/new', element: <NewTestScreen /> },
      { path: 'tests/:testId', element: <TestScreen /> },
      { path: 'recordings', element: <RecordingsScreen /> },
      { path: 'audit', element: <AuditScreen /> },
      { path: '*', element: <Redirect to="/support" /> },
    ],
  },
]

/** The routes under `/support`. There are few agents, so all screens are in one chunk. */
export function DeskRoutes() {
  return useRoutes(routes)
}

/** Guards the agents' screens: redirects other people to the team list. The server checks every call anyway. */
function DeskGuard() {
  const query = useQuery(settingsQuery)
  const { data, error } = query
  if (data?.isAgent && !data.passkeyNeeded) return <Outlet />
  if ((data && !data.isAgent) || isNotFound(error)) return <Redirect to="/teams" />
  return (
    <LogoPage to="/teams">
      {data ? (
        <>
          <PageHead title={deskText.passkeyTitle} />
          <p>{deskText.passkeyText}</p>
        </>
      ) : (
        <NotLoaded
          query={query}
          failed={deskText.failed}
          whole
          loading={deskText.loading}
          detailPx={210}
        />
      )}
    </LogoPage>
  )
}

function isNotFound(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.code === 'not-found'
}
