const feature = '^server/src/features/([^/]+)/'

/** Who may import whom: ARCHITECTURE.md says why. `script/check-imports.ts` fails when a rule reads no file. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-is-a-leaf',
      severity: 'error',
      from: { path: '^contract/src/' },
      to: { path: '^(server|web|bench|e2e)/' },
    },
    {
      name: 'web-never-imports-server',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'server-never-imports-web',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/(features|http)/' },
    },
    {
      name: 'http-knows-no-feature',
      comment: 'Features register routes in http; api.ts hands http what it needs of them.',
      severity: 'error',
      from: { path: '^server/src/http/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/features/' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '^server/src/features/.*\\.rules\\.ts$' },
      to: { pathNot: '^(contract/src/|server/src/features/.*\\.rules\\.ts$)' },
    },
    {
      name: 'only-repositories-talk-sql',
      severity: 'error',
      from: {
        path: '^server/src/features/',
        pathNot: '\\.(repository|test)\\.ts$',
      },
      to: { path: '(^|/)kysely/' },
    },
    {
      name: 'routes-do-not-touch-repositories',
      severity: 'error',
      from: { path: '^server/src/features/.*\\.routes\\.ts$' },
      to: { path: '\\.repository\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'other-features-through-their-service',
      severity: 'error',
      from: { path: feature, pathNot: '\\.test\\.ts$' },
      to: {
        path: feature,
        pathNot: [
          '^server/src/features/$1/',
          '\\.(service|rules)\\.ts$',
          'auth\\.session\\.ts$',
          'revelations/revelations\\.presenter\\.ts$',
          'access/(envelopes|saved-letters)\\.repository\\.ts$',
        ],
      },
    },
    {
      name: 'only-repositories-select-envelopes',
      comment:
        'Lists of revelations are queries over the one select of an envelope, and of what was joined by a link.',
      severity: 'error',
      from: {
        path: feature,
        pathNot: '^server/src/features/access/|\\.(repository|test)\\.ts$',
      },
      to: { path: '^server/src/features/access/(envelopes|saved-letters)\\.repository\\.ts$' },
    },
    {
      name: 'only-access-grants-reading',
      comment:
        'A right to read has a reason, which is a function of features/access (docs/decisions/0046-the-gate-and-hooks.md).',
      severity: 'error',
      from: {
        path: '^(server|bench|e2e)/',
        pathNot: '^server/src/(features/access/.*\\.service|platform/sealing/reading-right)\\.ts$',
      },
      to: { path: '^server/src/platform/sealing/grant-reading\\.ts$' },
    },
    {
      name: 'only-the-worker-imports-workers',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '(^server/src/worker\\.ts|\\.test\\.ts)$' },
      to: { path: '\\.worker\\.ts$' },
    },
    {
      name: 'only-operators-open-letters-of-others',
      comment:
        'Their callers are commands on the machine (docs/decisions/0013-reports.md): no web path reaches them.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot:
          '^server/src/operator/|(operator-letters|-checks)\\.service\\.ts$|features/access/grants\\.test\\.ts$',
      },
      to: { path: '(operator-letters|operator-grants|-checks)\\.service\\.ts$' },
    },
    {
      name: 'nothing-imports-commands',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/operator/' },
      to: { path: '^server/src/operator/' },
    },
    {
      name: 'ciphers-stay-in-sealing',
      comment: 'What opens a letter lives in one folder.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/(platform/sealing|create-context)' },
      to: {
        path: '^server/src/platform/sealing/(box|master-key)\\.ts$',
      },
    },
    {
      name: 'web-ui-knows-no-feature',
      severity: 'error',
      from: { path: '^web/src/(ui|lib)/' },
      to: { path: '^web/src/(features|pages|app)/' },
    },
    {
      name: 'web-features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: {
        path: '^web/src/features/([^/]+)/',
        pathNot: [
          '^web/src/features/$1/',
          '^web/src/features/(auth|media|offline-letters|relationships|revelations|uploads)/',
        ],
      },
    },
    {
      name: 'web-features-know-no-page',
      severity: 'error',
      from: { path: '^web/src/features/' },
      to: { path: '^web/src/(pages|app)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^(web|server|e2e|bench)/dist|/node_modules/.cache/)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
