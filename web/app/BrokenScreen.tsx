import { reloadToNewest } from '#web/device/appWorker.ts'
import { en } from '#web/text/en.ts'
import { Bar, BarLogo } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import styles from './BrokenScreen.module.css'

/**
 * A screen that threw, or whose code could not be loaded (no connection, or a newer app on the
 * server). Both ways on load the page anew: whatever was broken is gone with it.
 */
export function BrokenScreen({ reason }: { reason: unknown }) {
  const notLoaded = reason instanceof TypeError && /module|import|fetch/i.test(reason.message)
  const title = notLoaded ? en.app.notLoadedTitle : en.app.brokenTitle
  usePageTitle(title)
  return (
    <>
      <Bar>
        <BarLogo />
      </Bar>
      <Wrap>
        <LoadFailed
          title={title}
          message={notLoaded ? en.app.notLoadedText : en.app.brokenText}
          retryLabel={en.app.tryAgain}
          retrying={false}
          onRetry={() => void reloadToNewest()}
        />
        <a className={styles.away} href="/teams">
          {en.app.toTeams}
        </a>
      </Wrap>
    </>
  )
}
