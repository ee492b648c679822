import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import pdfjs from 'pdfjs-dist/package.json' with { type: 'json' }
import { defineConfig } from 'vite'
import { viteStaticCopy } from 'vite-plugin-static-copy'
import svgr from 'vite-plugin-svgr'
import { blockingScript } from './blocking-script.ts'
import { compressedFiles } from './compressed-files.ts'
import { fileIntegrity } from './file-integrity.ts'
import { renderedPages } from './rendered-pages.ts'

const API = 'http://127.0.0.1:3000'

/** What pdf.js fetches by name when a document needs it: alphabets, fonts, and decoders that compile nothing. */
const PDF_FILES = ['cmaps/*', 'standard_fonts/*', 'wasm/*_nowasm_fallback.js'].map((files) => ({
  src: `../node_modules/pdfjs-dist/${files}`,
  dest: `assets/pdfjs-${pdfjs.version}/${path.dirname(files)}`,
  rename: { stripBase: true } as const,
}))

// Two builds: the pages as browsers load them, and with `--ssr` the module by which the server makes first screens.
export default defineConfig(({ isSsrBuild = false }) => ({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    svgr(),
    renderedPages(API),
    ...(isSsrBuild
      ? []
      : [
          viteStaticCopy({ targets: PDF_FILES }),
          blockingScript('/src/app/inline-boot.js'),
          fileIntegrity(),
          compressedFiles(),
        ]),
  ],
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': API },
  },
  preview: {
    host: '127.0.0.1',
    proxy: { '/api': API },
  },
  build: {
    target: 'es2023',
    // The stars are part of the first thing that is seen: they come with the styles. Other files keep their own address.
    assetsInlineLimit: (file) => file.endsWith('/stars.svg'),
    modulePreload: { polyfill: false },
    // pdf.js, which is loaded for whoever reads a document.
    chunkSizeWarningLimit: 800,
    ...(isSsrBuild
      ? { outDir: 'dist-server', copyPublicDir: false, minify: false, sourcemap: true }
      : {
          manifest: true,
          rolldownOptions: {
            output: {
              // What every page stands on, in one file: many small ones compress less well.
              codeSplitting: { groups: [{ name: 'app', test: /src\/routes\.tsx$/ }] },
            },
          },
        }),
  },
  // All in one folder, with React as it is in production whatever the environment of the server.
  ...(isSsrBuild && {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  }),
}))
