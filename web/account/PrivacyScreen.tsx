import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { queryOf } from '#web/api/queryOf.ts'
import { privacyText } from '#web/text/privacy.ts'
import { grouped } from '#web/ui/grouped.ts'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import styles from './PrivacyScreen.module.css'

/** Explains what the product stores, for how long, who sees it, and how to delete it. It needs no login. */
export function PrivacyScreen() {
  usePageTitle(privacyText.title)
  const settings = useQuery(queryOf('privacy.settings', {}))
  const { data } = settings
  return (
    <LogoPage to="/">
      <PageHead title={privacyText.title} sub={privacyText.sub} />
      {data ? (
        <div className={styles.sections}>
          <Section {...privacyText.driving} />
          <Section {...privacyText.stored(grouped(data.historyDays))} />
          <Section
            {...privacyText.seen}
            lines={[...privacyText.seen.lines, ...privacyText.support[data.support]]}
          />
          <Section {...privacyText.deletion} />
          <Section {...privacyText.cookies} />
        </div>
      ) : (
        <NotLoaded
          query={settings}
          loading={privacyText.loading}
          failed={privacyText.failed}
          detailPx={210}
        />
      )}
    </LogoPage>
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
