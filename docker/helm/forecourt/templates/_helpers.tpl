{{/* Metadata of an object. Takes: root, name; perhaps app, labels, annotations. */}}
{{- define "forecourt.metadata" -}}
{{- $annotations := merge (dict) (default dict .annotations) .root.Values.commonAnnotations -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- with .app }}
  app.kubernetes.io/name: {{ . }}
  {{- end }}
  app.kubernetes.io/part-of: forecourt
  {{- with merge (dict) (default dict .labels) .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Metadata of a pod. Takes: root, app; perhaps config, of which a change restarts the pod, labels, annotations. */}}
{{- define "forecourt.podMetadata" -}}
{{- $annotations := merge (dict) (default dict .annotations) .root.Values.commonAnnotations -}}
labels:
  app.kubernetes.io/name: {{ .app }}
  app.kubernetes.io/part-of: forecourt
  {{- with merge (dict) (default dict .labels) .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- if or .config $annotations }}
annotations:
  {{- with .config }}
  # A changed value restarts the pods.
  checksum/config: {{ toYaml . | sha256sum }}
  {{- end }}
  {{- with $annotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "forecourt.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end }}
{{- end }}
{{- end }}

{{/* The beginning of every pod's spec. Takes: root, user. */}}
{{- define "forecourt.pod" -}}
automountServiceAccountToken: false
# Otherwise the Services’ names become variables such as COIN_POOL_PORT, which the services read as their own.
enableServiceLinks: false
terminationGracePeriodSeconds: 30
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- if not .root.Values.openshift }}
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "forecourt.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Takes: the name of the port that answers. */}}
{{- define "forecourt.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: {{ . }} }
  periodSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet: { path: /health/live, port: {{ . }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /health/ready, port: {{ . }} }
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 2
{{- end }}

{{/* Takes: size and className of a volume. */}}
{{- define "forecourt.claim" -}}
{{- with .className }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests: { storage: {{ .size }} }
{{- end }}

{{/* Matches the pods of some apps. */}}
{{- define "forecourt.anyOf" -}}
matchExpressions:
  - key: app.kubernetes.io/name
    operator: In
    values: [{{ join ", " . }}]
{{- end }}

{{/* ConfigMap → variables. */}}
{{- define "forecourt.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if .Values.history.enabled -}}
  {{- $_ := mergeOverwrite $config (dict
    "gateway" (merge $config.gateway (dict "HISTORY_ADDRESS" "history:9561,history:9561"))
    "coin-pool" (merge (index $config "coin-pool") (dict "HISTORY_BACKLOG" $config.history.HISTORY_BACKLOG))) -}}
{{- else -}}
  {{- $_ := unset $config "history" -}}
{{- end -}}
{{- if .Values.eventsIndex.enabled -}}
  {{- /* A new index begins with the newest checkpoint. `forecourt events backfill` adds the past. */ -}}
  {{- $_ := set $config "events" (merge $config.events (dict "EVENTS_INDEX_FROM" "tip" "EVENTS_RETENTION_DAYS" "90")) -}}
{{- end -}}
{{- if .Values.ingress.enabled -}}
  {{- $_ := set $config "gateway" (merge $config.gateway (dict "PUBLIC_URL" (printf "https://%s" .Values.ingress.host))) -}}
{{- end -}}
{{- if .Values.devnet.enabled -}}
  {{- $_ := set $config "fleet" (merge $config.fleet (dict "LEDGER_URL" "http://devnet:9000")) -}}
{{- else -}}
  {{- $_ := unset $config "devnet" -}}
{{- end -}}
{{- toYaml $config -}}
{{- end }}

{{/* A key of a Secret, mounted at /run/secrets/<folder>/<file>. Takes: volume, variable, folder, file, secret, key. */}}
{{- define "forecourt.secretFile" -}}
- name: {{ .volume }}
  path: /run/secrets/{{ .folder }}
  env: [{ name: {{ .variable }}, value: /run/secrets/{{ .folder }}/{{ .file }} }]
  volume:
    secret:
      secretName: {{ .secret }}
      defaultMode: 0440
      items: [{ key: {{ .key }}, path: {{ .file }} }]
{{- end }}

{{- define "forecourt.fleetSecret" -}}
{{ include "forecourt.secretFile" (dict "volume" "fleet-secret" "variable" "FLEET_SECRET_FILE" "folder" "fleet" "file" "secret" "secret" .name "key" .key) }}
{{- end }}

{{- define "forecourt.sponsorKeys" -}}
{{ include "forecourt.secretFile" (dict "volume" "sponsor-keys" "variable" "SPONSOR_KEYS_FILE" "folder" "sponsor" "file" "keys" "secret" .name "key" .key) }}
{{- end }}

{{/* Takes: the service, and the Secret. */}}
{{- define "forecourt.redisUrl" -}}
{{ include "forecourt.secretFile" (dict "volume" "redis-url" "variable" "REDIS_URL_FILE" "folder" "redis" "file" "url" "secret" (index . 1).name "key" (printf "%s.url" (index . 0))) }}
{{- end }}

{{/* Takes: the database's variable, and the Secret. */}}
{{- define "forecourt.databaseUrl" -}}
{{ include "forecourt.secretFile" (dict "volume" "database-url" "variable" (index . 0) "folder" "database" "file" "url" "secret" (index . 1).name "key" (index . 1).key) }}
{{- end }}

{{/* Node reads it when a service starts, in addition to the authorities that it knows. Takes: whose, and the ConfigMap. */}}
{{- define "forecourt.privateCa" -}}
{{- $folder := printf "%s-ca" (index . 0) -}}
{{- with index . 1 }}
- name: {{ $folder }}
  path: /run/{{ $folder }}
  env: [{ name: NODE_EXTRA_CA_CERTS, value: /run/{{ $folder }}/ca.crt }]
  volume:
    configMap: { name: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end }}

{{/*
Service → its ConfigMaps, variables, ports (name and number), the port of its probes and that of its metrics, what its Service offers,
who calls it, which services it calls, and its mounts.
*/}}
{{- define "forecourt.services" -}}
{{- $secrets := .Values.secrets -}}
# The HTTP API.
gateway:
  configMaps: [fleet, redis, gateway]
  ports: [[http, 9527], [compatibility, 9528], [metrics, 9184]]
  health: http
  metrics: metrics
  offers: [[http, 9527], [compatibility, 9528]]
  calls: [[coin-pool, 9531], [events, 9551]{{ if .Values.history.enabled }}, [history, 9561]{{ end }}]
  mounts:
    {{- include "forecourt.fleetSecret" $secrets.fleet | nindent 4 }}
    {{- include "forecourt.redisUrl" (list "gateway" $secrets.redis) | nindent 4 }}
    {{- include "forecourt.secretFile" (dict "volume" "tokens" "variable" "GAS_STATION_AUTH_FILE" "folder" "tokens" "file" "tokens" "secret" $secrets.tokens.name "key" $secrets.tokens.key) | nindent 4 }}
    {{- if .Values.accessFiles.enabled }}
    # The whole folder, without subPath: Kubernetes never replaces a file that is mounted on its own. Every key of the Secret,
    # because rules may name further files.
    - name: access
      path: /run/secrets/access
      env:
        - { name: TOKENS_FILE, value: /run/secrets/access/tokens.yaml }
        - { name: ACCESS_RULES_FILE, value: /run/secrets/access/rules.yaml }
      volume:
        secret: { secretName: {{ $secrets.access.name }}, defaultMode: 0440 }
    {{- end }}
    {{- if .Values.accessAuditFile.enabled }}
    - name: access-audit
      path: /data
      isWritable: true
      env:
        - name: POD_NAME
          valueFrom:
            fieldRef: { fieldPath: metadata.name }
        - { name: ACCESS_AUDIT_FILE, value: /data/$(POD_NAME).jsonl }
      volume:
        persistentVolumeClaim: { claimName: forecourt-access-audit }
    {{- end }}
    {{- include "forecourt.privateCa" (list "redis" .Values.privateCa.redis) | nindent 4 }}
# Coins and reservations, for gateways.
coin-pool:
  configMaps: [fleet, redis, pool, coin-pool]
  ports: [[messages, 9531], [health, 9532]]
  health: health
  metrics: health
  offers: [[messages, 9531]]
  callers: [gateway]
  mounts:
    {{- include "forecourt.fleetSecret" $secrets.fleet | nindent 4 }}
    {{- include "forecourt.redisUrl" (list "coin-pool" $secrets.redis) | nindent 4 }}
    {{- include "forecourt.sponsorKeys" $secrets.sponsor | nindent 4 }}
    {{- include "forecourt.privateCa" (list "redis" .Values.privateCa.redis) | nindent 4 }}
# Takes jobs from the queue; no service calls it.
executor:
  configMaps: [fleet, redis, pool, executor]
  ports: [[health, 9541]]
  health: health
  metrics: health
  mounts:
    {{- include "forecourt.redisUrl" (list "executor" $secrets.redis) | nindent 4 }}
    {{- include "forecourt.sponsorKeys" $secrets.sponsor | nindent 4 }}
    {{- include "forecourt.privateCa" (list "redis" .Values.privateCa.redis) | nindent 4 }}
# Queries and subscriptions, for gateways.
events:
  configMaps: [fleet, events]
  env:
    # Makes garbage collections frequent and short, and keeps the heap small.
    - { name: NODE_OPTIONS, value: --max-semi-space-size=4 }
  ports: [[http, 9551]]
  health: http
  metrics: http
  offers: [[http, 9551]]
  callers: [gateway]
  {{- if .Values.eventsIndex.enabled }}
  mounts:
    {{- include "forecourt.databaseUrl" (list "EVENTS_DATABASE_URL_FILE" $secrets.eventsDatabase) | nindent 4 }}
    {{- include "forecourt.fleetSecret" $secrets.fleet | nindent 4 }}
  {{- end }}
{{- if .Values.history.enabled }}
# The record of sponsorships, for gateways.
history:
  # Not `fleet`, which names the nodes of the ledger: history does not call them.
  configMaps: [redis, history]
  ports: [[messages, 9561], [health, 9562]]
  health: health
  metrics: health
  offers: [[messages, 9561]]
  callers: [gateway]
  mounts:
    {{- include "forecourt.fleetSecret" $secrets.fleet | nindent 4 }}
    {{- include "forecourt.redisUrl" (list "history" $secrets.redis) | nindent 4 }}
    {{- include "forecourt.databaseUrl" (list "DATABASE_URL_FILE" $secrets.database) | nindent 4 }}
    {{- if .Values.webhooks.enabled }}
    # Whole folders, without subPath. Not the access rules, nor what they name.
    - name: access
      path: /run/secrets/access
      env: [{ name: TOKENS_FILE, value: /run/secrets/access/tokens.yaml }]
      volume:
        secret:
          secretName: {{ $secrets.access.name }}
          defaultMode: 0440
          items: [{ key: tokens.yaml, path: tokens.yaml }]
    # `secret-file: ../webhooks/shop.secret`. Gateways do not get these secrets.
    - name: webhooks
      path: /run/secrets/webhooks
      volume:
        secret: { secretName: {{ $secrets.webhooks.name }}, defaultMode: 0440, optional: true }
    {{- end }}
    {{- include "forecourt.privateCa" (list "history" .Values.privateCa.history) | nindent 4 }}
{{- end }}
{{- end }}
