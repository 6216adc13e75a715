import { Component, type ReactNode } from 'react'
import { reloadToNewest } from '#web/device/appWorker.ts'
import { appText } from '#web/text/app.ts'
import { Bar, BarLogo } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import styles from './BrokenScreen.module.css'

interface Props {
  children: ReactNode
}

/**
 * Error boundary: shows `BrokenScreen` when a screen throws. React supports only classes for this.
 */
export class CatchBroken extends Component<Props, { reason: unknown }> {
  override state = { reason: null }

  static getDerivedStateFromError(reason: unknown) {
    return { reason }
  }

  override render() {
    return this.state.reason ? <BrokenScreen reason={this.state.reason} /> : this.props.children
  }
}

/**
 * Shown when a screen threw, or when its code failed to load (no connection, or a newer build on the
 * server). Both buttons reload the page, which discards the broken state.
 */
function BrokenScreen({ reason }: { reason: unknown }) {
  const notLoaded = reason instanceof TypeError && /module|import|fetch/i.test(reason.message)
  const title = notLoaded ? appText.notLoadedTitle : appText.brokenTitle
  usePageTitle(title)
  return (
    <>
      <Bar>
        <BarLogo />
      </Bar>
      <Wrap>
        <LoadFailed
          title={title}
          whole
          message={notLoaded ? appText.notLoadedText : appText.brokenText}
          onRetry={() => void reloadToNewest()}
        />
        <a className={styles.away} href="/teams">
          {appText.toTeams}
        </a>
      </Wrap>
    </>
  )
}
