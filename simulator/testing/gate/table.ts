/**
 * Who gets what of every route; one that is not in here fails authorization.test.ts. Who and whose are in who.ts.
 *
 * A cell is `yes`: answered; a number: refused with that status, whatever is asked for; first letters of own, child,
 * parent, sibling, foreign, random: answered for those, and 404 for all others, which tells nothing; `-`: 404 for all;
 * `oc,p=409`: the same, and refused with 409 for `p`.
 *
 * `tried` is where the id that is tried stands: in the path, or in a field of body or query; a line for each. `then` is the same as of
 * a time that is past. What is sent besides is in requests.ts.
 */
export const TABLE = `
route                                              tried     nobody child      top       other   susp admin handed    expired reset ended

coming in and staying in: told apart by what is in body, query and headers, not by the access token that is shown
POST /api/auth/login                               right     yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/login                               wrong     401    401        401       401     401  401   401       401     401   401
GET  /api/auth/refresh-token                       -         401    yes        yes       yes     403  yes   yes       yes     401   401
POST /api/auth/logout                              -         401    yes        yes       yes     yes  yes   yes       401     401   401
GET  /api/auth/logout                              -         401    yes        yes       yes     yes  yes   yes       401     401   401
GET  /api/auth/me                                  -         401    yes        yes       yes     403  yes   yes       401     401   401

links of mails, and passwords: whoever holds the token, the code or the reset token, and nobody else, whoever they are
POST /api/auth/checkLinkValidity/:token            sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/checkLinkValidity/:token            guessed   404    404        404       404     404  404   404       404     404   404
POST /api/auth/getUserByToken/:token               sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/getUserByToken/:token               guessed   404    404        404       404     404  404   404       404     404   404
POST /api/auth/resendLink/:token                   sent      409    409        409       409     409  409   409       409     409   409
POST /api/auth/resendLink/:token                   guessed   404    404        404       404     404  404   404       404     404   404
POST /api/auth/resendLink/:token                   late      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/activate/:token                     sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/activate/:token                     guessed   404    404        404       404     404  404   404       404     404   404
POST /api/auth/set-password/:id/:token             guessed   404    404        404       404     404  404   404       404     404   404
POST /api/auth/set-password/:id/:token             other-id  404    404        404       404     404  404   404       404     404   404
POST /api/auth/set-password/:id/:token             sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/set-password                        -         401    401        401       401     401  401   401       401     yes   401
POST /api/auth/forgot-password                     -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/confirm-user                        sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /api/auth/confirm-user                        guessed   400    400        400       400     400  400   400       400     400   400
GET  /mail/:token                                  sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /mail/:token                                  guessed   404    404        404       404     404  404   404       404     404   404
POST /mail/:token                                  sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /mail/:token                                  guessed   404    404        404       404     404  404   404       404     404   404

groups
GET  /api/groups/:groupId/subgroups                path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:id                               path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/company/:companyId                path      401    ocps       ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:id/history                       path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:id/info                          path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups                                   parentId  401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups                                   companyId 401    ocps       ocps      f       403  -     ocps      401     401   401
POST /api/groups                                   things    401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/groups/:id                               path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/groups/:id/update                        path      401    c,o=403    ocs,p=403 -,f=403 403  -     ocs,p=403 401     401   401
PUT  /api/groups/:id/update                        parentId  401    o,c=422    ops,c=422 -       403  -     ops,c=422 401     401   401
PUT  /api/groups/:id/update                        things    401    oc         ocps      -       403  -     ocps      401     401   401
PUT  /api/groups/:id/image                         path      401    oc         ocps      f       403  -     ocps      401     401   401
DELETE /api/groups/:id                             path      401    c,o=403    ocs,p=403 -,f=403 403  -     ocs,p=403 401     401   401
GET  /api/groups/:id/fatigue-threshold             path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/groups/:id/fatigue-threshold             path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:id/vehicles/groups               path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:id/drivers/groups                path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/companies/:companyId/drivingScoreSetting path      401    ocps       ocps      f       403  -     ocps      401     401   401
PUT  /api/companies/:companyId/drivingScoreSetting path      401    -,ocps=403 ocps      f       403  -     ocps      401     401   401
GET  /api/companies/:companyId/headAddress         path      401    ocps       ocps      f       403  -     ocps      401     401   401
PUT  /api/companies/:companyId/headAddress         path      401    -,ocps=403 ocps      f       403  -     ocps      401     401   401

a picture is found by the hash of what it shows, by whoever has that
GET  /api/images/:image                            kept      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/images/:image                            guessed   404    404        404       404     404  404   404       404     404   404

users
GET  /api/groups/:groupId/users                    path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/users/:id                                path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/users/:id/history                        path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/users                                    groupId   401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/users/:id                                path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/users/:id                                groupId   401    o,c=409    p,ocs=409 f       403  -     ocps      401     401   401
DELETE /api/users/:id                              path      401    c,o=409    ocs,p=409 -,f=409 403  -     ocps      401     401   401
POST /api/users/resendLink                         id        401    c,o=409    cs,op=409 -,f=409 403  -     cs,op=409 401     401   401
GET  /api/users/:id/notifications/settings         path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/users/:id/notifications/settings         path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/users/updateSmsEmailSetting/:id          path      401    oc         ocps      f       403  -     ocps      401     401   401

devices
GET  /api/groups/:groupId/things                   path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/vehicle-models           path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/observations-latest      path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/things/:imei                             path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/things/:imei                             groupId   401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/move                              things    401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/move                              groupId   401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/observations                path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/observations-aside          path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/observations-logs           path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:id/tempObservations-logs         path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/gdChart/stats/:id                 path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/tripsChart/stats                  things    401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/fuel/stats                        things    401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei                             path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/history                     path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/record                      path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/things/:imei/record                      path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/things/:imei/record                      groupId   401    oc         ocps      f       403  -     ocps      401     401   401

as of a time that is past, when child was at the top and what is sibling's was below child: it is today's rights that count
GET  /api/groups/:id                               then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/company/:companyId                then      401    ocps       ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:id/history                       then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/users                    then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/users/:id/history                        then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/history                     then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/observations                then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/observations-aside          then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/observations-logs           then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:id/tempObservations-logs         then      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/glances                           then      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/notifications            then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/users/notifications/:id/why              then      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/incidents                then      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/violationstats           then      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/violation-times          then      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/summaryChart             then      401    oc         ocps      f       403  -     ocps      401     401   401

links to one device in one span: made by people of the company alone, ended by who made them and by managers who see the device
GET  /api/things/:imei/shares                      path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/:imei/shares                      path      401    oc         ocps      f       403  -     -,ocps=403 401    401   401
DELETE /api/things/:imei/shares/:shareId           path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/shared/:token                            sent      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/shared/:token                            guessed   404    404        404       404     404  404   404       404     404   404

pages saved by name: one's own, and those of one's own group, which its managers keep
GET  /api/asof                                     -         401    yes        yes       yes     403  yes   yes       401     401   401
GET  /api/asof/event                               -         401    yes        yes       yes     403  yes   yes       401     401   401
GET  /api/asof/overview                            -         401    yes        yes       yes     403  yes   yes       401     401   401
GET  /api/views                                    -         401    yes        yes       yes     403  yes   yes       401     401   401
POST /api/views                                    own       401    yes        yes       yes     403  yes   yes       401     401   401
POST /api/views                                    group     401    yes        yes       yes     403  yes   yes       401     401   401
DELETE /api/views/:viewId                          path      401    o          p         f       403  -     p         401     401   401

loads and what goods may be exposed to; managers decide about loads and keep profiles, and all who are asked here are managers
GET  /api/groups/:groupId/loads                    path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/budgets                  path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/loads/:loadId                            path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/loads/:loadId/pdf                        path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/loads                                    imei      401    -,oc=409   -,ocps=409 -,f=409 403 -     -,ocps=409 401    401   401
POST /api/load-lists                               -         401    yes        yes       yes     403  yes   yes       401     401   401
POST /api/loads/:loadId/close                      path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/loads/:loadId/review                     path      401    -,oc=409   -,ocps=409 -,f=409 403 -     -,ocps=409 401    401   401
POST /api/loads/:loadId/release                    path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/loads/:loadId/reject                     path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/budget                      path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/:imei/budget-tracks               path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/profiles                                 -         401    yes        yes       yes     403  yes   yes       401     401   401
GET  /api/profiles/:profileId                      shipped   401    yes        yes       yes     403  yes   yes       401     401   401
GET  /api/profiles/:profileId/history              shipped   401    yes        yes       yes     403  yes   yes       401     401   401
POST /api/profiles                                 -         401    yes        yes       yes     403  yes   yes       401     401   401
PUT  /api/profiles/:profileId                      shipped   401    yes        yes       yes     403  yes   yes       401     401   401
GET  /api/profile-assignments                      -         401    yes        yes       yes     403  yes   yes       401     401   401
PUT  /api/groups/:groupId/profile                  path      401    oc         ocps      f       403  -     ocps      401     401   401
PUT  /api/things/:imei/profile                     path      401    oc         ocps      f       403  -     ocps      401     401   401

adding devices is a super admin's where the company does not leave it to its managers
POST /api/things                                   groupId   401    403        403       403     403  -     ocps      401     401   401
POST /api/things/:imei/tracker                     path      401    -,oc=403   -,ocps=403 -,f=403 403 -     ocps      401     401   401
POST /api/things/:imei/retire                      path      401    -,oc=403   -,ocps=403 -,f=403 403 -     ocps      401     401   401
GET  /api/unknown-devices                          -         401    yes        yes       yes     403  yes   yes       401     401   401
POST /api/unknown-devices/:imei                    knocked   401    404        404       404     403  yes   yes       401     401   401
POST /api/unknown-devices/:imei                    silent    401    404        404       404     403  404   404       401     401   401
POST /api/device-imports                           -         401    403        403       403     403  yes   yes       401     401   401
GET  /api/device-imports/:id                       guessed   401    404        404       404     403  404   404       401     401   401
GET  /api/device-imports/:id/remarks               guessed   401    404        404       404     403  404   404       401     401   401
POST /api/device-imports/:id/apply                 guessed   401    404        404       404     403  404   404       401     401   401
POST /api/device-imports/:id/retry                 guessed   401    404        404       404     403  404   404       401     401   401
DELETE /api/device-imports/:id                     guessed   401    404        404       404     403  404   404       401     401   401

a super admin's, wherever they are; nobody else hears of it
GET  /api/admin/companies                          -         401    404        404       404     403  yes   yes       401     401   401
POST /api/admin/companies                          -         401    404        404       404     403  yes   yes       401     401   401
GET  /api/admin/companies/:companyId               path      401    -          -         -       403  ocpsf ocpsf     401     401   401
GET  /api/admin/companies/:companyId/figures       path      401    -          -         -       403  ocpsf ocpsf     401     401   401
PUT  /api/admin/companies/:companyId               path      401    -          -         -       403  ocpsf ocpsf     401     401   401
POST /api/admin/companies/:companyId/suspend       path      401    -          -         -       403  ocpsf ocpsf     401     401   401
POST /api/admin/companies/:companyId/resume        path      401    -          -         -       403  ocpsf ocpsf     401     401   401
POST /api/admin/companies/:companyId/managers      path      401    -          -         -       403  ocpsf ocpsf     401     401   401
POST /api/admin/handoff/:companyId                 path      401    -          -         -       403  ocpsf ocpsf     401     401   401

keys of other systems: of managers of a whole company, and of super admins
GET  /api/companies/:companyId/keys                path      401    -          ocps      f       403  ocpsf ocpsf     401     401   401
POST /api/companies/:companyId/keys                path      401    -          ocps      f       403  ocpsf ocpsf     401     401   401
POST /api/companies/:companyId/keys/:keyId/rotate  path      401    -          ocps      f       403  ocpsf ocpsf     401     401   401
DELETE /api/companies/:companyId/keys/:keyId       path      401    -          ocps      f       403  ocpsf ocpsf     401     401   401

notifications
POST /api/groups/:groupId/notifications            path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/notifications            things    401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/users/notifications/:id/comments         path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/users/notifications/:id/acknowledge      path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/incidents                path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/shift                    path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/alarm-health             path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/limits-trials            path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/limits-trials            path      401    -,oc=400   -,ocps=400 -,f=400   403  -     -,ocps=400 401   401   401
GET  /api/groups/:groupId/limits-trial-estimate    path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/groups/:groupId/limits-trials/:trialId   path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/limits-trials/:trialId/cancel path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/limits-trials/:trialId/apply path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/glances                           things    401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/users/notifications/:id/take             path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/users/notifications/:id/release          path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/:imei/violations/:type/shelve     path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/things/:imei/violations/:type/unshelve   path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/users/notifications/:id/why              path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/users/notifications/:id/case             path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/users/notifications/:id/case/close       path      401    -,oc=422   -,ocps=422 -,f=422 403  -     -,ocps=422 401    401   401
POST /api/users/notifications/:id/case/report      path      401    oc         ocps      f       403  -     ocps      401     401   401
GET  /api/things/passengercheck/:thingId/:isPassenger path   401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/violationstats           path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/violationstats           devices   401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/violation-times          path      401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/violation-times          devices   401    oc         ocps      f       403  -     ocps      401     401   401
POST /api/groups/:groupId/summaryChart             path      401    oc         ocps      f       403  -     ocps      401     401   401

reports
GET  /api/groups/:groupId/company/:companyId/reports path 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports path 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports things 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports groups 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/observationReport path 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/observationReport things 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/distanceReport path 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/distanceReport things 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/distanceReport groups 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/powerReport path 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/powerReport things 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/powerReport groups 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/generateTemperatureReport path 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/generateTemperatureReport things 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/:groupId/company/:companyId/reports/generateTemperatureReport groups 401 oc ocps f 403 - ocps 401 401 401
POST /api/reports/trips companyId 401 ocps ocps f 403 - ocps 401 401 401
POST /api/reports/trips things 401 oc ocps f 403 - ocps 401 401 401
POST /api/reports/trips groups 401 oc ocps f 403 - ocps 401 401 401
GET  /api/reports/logs/:companyId path 401 ocps ocps f 403 - ocps 401 401 401
POST /api/reports/:id/retry path 401 oc ocps f 403 - ocps 401 401 401
POST /api/reports/:id/cancel path 401 oc ocps f 403 - ocps 401 401 401
POST /api/reports/:id/versions path 401 oc ocps f 403 - ocps 401 401 401
GET  /api/reports/:id/seal                        path      401    oc         ocps      f       403  -     ocps      401     401   401

files of reports: whoever holds the link of the log or a mail, and nobody else, whoever they are
GET  /api/reports/files/:id signed yes yes yes yes yes yes yes yes yes yes
GET  /api/reports/files/:id guessed 404 404 404 404 404 404 404 404 404 404

schedules of reports
POST /api/groups/scheduleReport groups 401 oc ocps f 403 - ocps 401 401 401
POST /api/groups/scheduleReport vehicles 401 oc ocps f 403 - ocps 401 401 401
PUT  /api/groups/scheduleReport/:id path 401 oc ocps f 403 - ocps 401 401 401
PUT  /api/groups/scheduleReport/:id groups 401 oc ocps f 403 - ocps 401 401 401
PUT  /api/groups/scheduleReport/:id vehicles 401 oc ocps f 403 - ocps 401 401 401
GET  /api/groups/listScheduledReports/:companyId path 401 ocps ocps f 403 - ocps 401 401 401
DELETE /api/groups/deleteScheduleReport/:id path 401 oc ocps f 403 - ocps 401 401 401

the server, and those who run it; trackers' readings come with a company's key, whoever brings them
GET  /api/time                                     -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/demo-accounts                            -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/openapi.json                             -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes

what shows that the record is what it was: hashes and numbers alone, for whoever got a head by mail
GET  /api/seals/keys                               -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /.well-known/frostline-seal-keys.json         -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/seals/head                               -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/seals/consistency                        -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/seals/inclusion/:seq                     -         401    yes        yes       yes     403  yes   yes       401     401   401
POST /api/ingest                                   key       yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/events                                   key       yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /api/events                                   no-key    401    401        401       401     401  401   401       401     401   401
POST /api/ingest                                   no-key    401    401        401       401     401  401   401       401     401   401
GET  /healthz                                      -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /readyz                                       -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/scenario.schema.json                     -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /docs/api                                     -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /docs/api/json                                -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /docs/api/yaml                                -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /docs/api/static/index.html                   -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /docs/api/static/swagger-initializer.js       -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /docs/api/static/theme/frostline.css          -         yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /docs/api/static/*                            -         404    404        404       404     404  404   404       404     404   404
GET  /metrics                                      here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /metrics                                      afar      404    404        404       404     404  404   404       404     404   404

the socket's route over plain HTTP (who may speak on the socket: tokens.test.ts), and files, of which there are none here
GET  /live                                         -         404    404        404       404     404  404   404       404     404   404
GET  /*                                            -         404    404        404       404     404  404   404       404     404   404

control calls: this machine may, others may not, whoever they are
GET  /sim/status                                   here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/status                                   afar      403    403        403       403     403  403   403       403     403   403
POST /sim/clock                                    here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/clock                                    afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/faults                                   here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/faults                                   afar      403    403        403       403     403  403   403       403     403   403
POST /sim/faults                                   here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/faults                                   afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/faults/:id                               here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/faults/:id                               afar      403    403        403       403     403  403   403       403     403   403
DELETE /sim/faults/:id                             here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
DELETE /sim/faults/:id                             afar      403    403        403       403     403  403   403       403     403   403
DELETE /sim/clock/journey                          here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
DELETE /sim/clock/journey                          afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/links                                    here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/links                                    afar      403    403        403       403     403  403   403       403     403   403
POST /sim/links                                    here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/links                                    afar      403    403        403       403     403  403   403       403     403   403
DELETE /sim/links/:id                              here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
DELETE /sim/links/:id                              afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/actions                                  here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/actions                                  afar      403    403        403       403     403  403   403       403     403   403
POST /sim/actions/:id/undo                         here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/actions/:id/undo                         afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/script                                   here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/script                                   afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/scenarios                                here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/scenarios                                afar      403    403        403       403     403  403   403       403     403   403
POST /sim/scenarios                                here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/scenarios                                afar      403    403        403       403     403  403   403       403     403   403
POST /sim/open                                     here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/open                                     afar      403    403        403       403     403  403   403       403     403   403
POST /sim/companies/:companyId                     here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/companies/:companyId                     afar      403    403        403       403     403  403   403       403     403   403
POST /sim/users/:userName                          here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/users/:userName                          afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/outbox                                   here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/outbox                                   afar      403    403        403       403     403  403   403       403     403   403
POST /sim/tokens/:token/expire                     here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/tokens/:token/expire                     afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/lab/coverage                             here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/lab/coverage                             afar      403    403        403       403     403  403   403       403     403   403
POST /sim/lab/runs                                 here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/lab/runs                                 afar      403    403        403       403     403  403   403       403     403   403
GET  /sim/lab/runs/:id                             here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
GET  /sim/lab/runs/:id                             afar      403    403        403       403     403  403   403       403     403   403
DELETE /sim/lab/runs/:id                           here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
DELETE /sim/lab/runs/:id                           afar      403    403        403       403     403  403   403       403     403   403
POST /sim/reset                                    here      yes    yes        yes       yes     yes  yes   yes       yes     yes   yes
POST /sim/reset                                    afar      403    403        403       403     403  403   403       403     403   403
`
