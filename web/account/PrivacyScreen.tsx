import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { read } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { privacyText } from '#web/text/privacy.ts'
import { Bar, LogoLink } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import styles from './PrivacyScreen.module.css'

/** Explains what the product stores, for how long, who sees it, and how to delete it. It needs no login. */
export function PrivacyScreen() {
  usePageTitle(privacyText.title)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['privacy.settings'],
    queryFn: ({ signal }) => read('privacy.settings', {}, { signal }),
  })
  return (
    <>
      <Bar>
        <LogoLink to="/" label={appText.product} />
      </Bar>
      <Wrap>
        <PageHead title={privacyText.title} sub={privacyText.sub} />
        {data ? (
          <div className={styles.sections}>
            <Section {...privacyText.driving} />
            <Section {...privacyText.stored(whole.format(data.historyDays))} />
            <Section
              {...privacyText.seen}
              lines={[...privacyText.seen.lines, ...privacyText.support[data.support]]}
            />
            <Section {...privacyText.deletion} />
            <Section {...privacyText.cookies} />
          </div>
        ) : error ? (
          <LoadFailed
            title={privacyText.failed}
            message={refusalText(error)}
            retryLabel={appText.tryAgain}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <SkeletonRows label={privacyText.loading} detailPx={210} />
        )}
      </Wrap>
    </>
  )
}

function Section({ title, lines }: { title: string; lines: readonly string[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={title} />
      <ul className={styles.lines}>
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

const whole = new Intl.NumberFormat()
