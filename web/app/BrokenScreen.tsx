import { useRouteError } from 'react-router'
import { en } from '#web/text/en.ts'
import { Bar, LogoLink } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'

/** A screen that threw, or whose code could not be loaded (no connection, or a newer app on the server). */
export function BrokenScreen() {
  const reason = useRouteError()
  const notLoaded = reason instanceof TypeError && /module|import|fetch/i.test(reason.message)
  const title = notLoaded ? en.app.notLoadedTitle : en.app.brokenTitle
  usePageTitle(title)
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={en.app.home} />
      </Bar>
      <Wrap>
        <LoadFailed
          title={title}
          message={notLoaded ? en.app.notLoadedText : en.app.brokenText}
          retryLabel={en.app.tryAgain}
          retrying={false}
          onRetry={() => location.reload()}
        />
      </Wrap>
    </>
  )
}
