import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.DEV_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: 'web',
  plugins: [react()],
  css: { transformer: 'lightningcss' },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome120', 'edge120', 'firefox124', 'safari17.4'],
    // The content security policy allows files of our own only: nothing may become a data: URL or an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': server,
      '/dev': server,
      '/version.json': server,
      '/live': { target: server, ws: true },
    },
  },
})
