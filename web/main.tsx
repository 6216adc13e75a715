import '@fontsource-variable/archivo/wdth.css'
import '#web/ui/theme/fonts/fonts.css'
import '#web/ui/theme/tokens.css'
import '#web/ui/theme/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/App.tsx'
import { buildVersion } from '#web/app/buildVersion.ts'
import { startApp } from '#web/app/start.ts'
import { pinAppCache } from '#web/device/appWorker.ts'

// Another tab may go over to a newer build while this one still loads.
pinAppCache(buildVersion())

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root.')
const app = createRoot(root)
const { client, ready } = startApp()
// A transition renders in short tasks, between which the page responds.
void ready.then(() =>
  startTransition(() =>
    app.render(
      <StrictMode>
        <App client={client} />
      </StrictMode>,
    ),
  ),
)
