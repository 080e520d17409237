{{/* Fails on values that the schema allows and that no fleet can work with. */}}
{{- define "forecourt.check" -}}
{{- $v := .Values -}}
{{- $redis := $v.config.redis -}}
{{- if not (or $v.image.tag $v.image.digest) -}}
  {{- fail "image.tag or image.digest is needed: name the image that you have pushed" -}}
{{- end -}}
{{- if and $v.image.tag $v.image.digest -}}
  {{- fail "image.tag and image.digest exclude each other" -}}
{{- end -}}
{{- $known := .Files.Get "config-variables.json" | fromJson -}}
{{- range $name, $data := $v.config -}}
  {{- range without ($.Files.Lines "secret-variables.txt") "" -}}
    {{- if hasKey $data . -}}
      {{- fail (printf "config.%s.%s is a secret, which a ConfigMap would show: put it into a Secret" $name .) -}}
    {{- end -}}
  {{- end -}}
  {{- range $variable, $value := $data -}}
    {{- if not (has $variable (index $known $name)) -}}
      {{- fail (printf "config.%s.%s is not a variable that is read there: see docs/configuration.md; services.<name>.extraEnv takes variables of other programs" $name $variable) -}}
    {{- end -}}
    {{- if regexMatch "://[^/?#\\s]*@" (toString $value) -}}
      {{- fail (printf "config.%s.%s has a user name or a password, which a ConfigMap would show: put it into a Secret" $name $variable) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if not (or $v.devnet.enabled $v.config.fleet.LEDGER_URL) -}}
  {{- fail "config.fleet.LEDGER_URL is needed: name the nodes of the ledger, or set devnet.enabled" -}}
{{- end -}}
{{- if and (eq $redis.REDIS_MODE "sentinel") (not $redis.REDIS_SENTINEL_MASTER) -}}
  {{- fail "config.redis.REDIS_SENTINEL_MASTER is needed with REDIS_MODE sentinel" -}}
{{- end -}}
{{- if and $v.redis.enabled (ne $redis.REDIS_MODE "single") -}}
  {{- fail "redis.enabled is one server: config.redis.REDIS_MODE must be single" -}}
{{- end -}}
{{- if and $v.webhooks.enabled (not (and $v.history.enabled $v.accessFiles.enabled)) -}}
  {{- fail "webhooks.enabled needs history.enabled and accessFiles.enabled" -}}
{{- end -}}
{{- if and $v.monitoring.alerts (not $v.monitoring.enabled) -}}
  {{- fail "monitoring.alerts needs monitoring.enabled" -}}
{{- end -}}
{{- if and $v.ingress.enabled (not (and $v.ingress.host $v.config.gateway.TRUSTED_PROXIES)) -}}
  {{- fail "ingress.enabled needs ingress.host, and config.gateway.TRUSTED_PROXIES: the addresses of the controller's pods" -}}
{{- end -}}
{{- if and $v.autoscaling.gateway.enabled $v.services.gateway.replicas -}}
  {{- fail "services.gateway.replicas and autoscaling.gateway.enabled exclude each other" -}}
{{- end -}}
{{- if and (ne $v.autoscaling.executor.by "none") $v.services.executor.replicas -}}
  {{- fail "services.executor.replicas and autoscaling.executor.by exclude each other" -}}
{{- end -}}
{{- if $v.networkPolicies.enabled -}}
  {{- $needed := dict "ledger" (not $v.devnet.enabled) "redis" (not $v.redis.enabled) "database" $v.history.enabled "eventsDatabase" $v.eventsIndex.enabled -}}
  {{- range $what, $isNeeded := $needed -}}
    {{- if and $isNeeded (not (index $v.networkPolicies $what).to) -}}
      {{- fail (printf "networkPolicies.%s.to is needed: the addresses that the services connect to, such as [{ ipBlock: { cidr: 192.0.2.10/32 } }]" $what) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end }}
